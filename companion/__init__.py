"""Referees real games on a table, seen by a camera above it. `app` is where to begin reading.

What it is made of, each a package of its own
    games: rules. vision: pictures to what lies there. referee: what was played, and what hands have still to do
    journal, outputs, web: what is kept, what lamps and buzzer show, what phones see and ask for
    service, sets: what runs for weeks on the Pi, and what it was taught of people's pieces
    config, commands, prints, simulator, demo, bench, training
The words between them
    pieces headings view events errors texts
What builds and wires them
    app eye_options storage pace
What the host sets up
    guide guide_desk exports
A game from photographs
    photographs photographed_board folder_run agreement
The command line
    cli progress __main__
"""
