"""Referees real games on a table, seen by a camera above it. `app` is where to begin reading.

What it is made of, each a package of its own
    games: rules. vision: pictures to what lies there. referee: what was played, and what hands have still to do
    journal, outputs, web: what is kept, what lamps and buzzer show, what phones see and ask for
    config, commands, prints, simulator, demo, bench, training
The words between them
    pieces headings view events errors texts
The service
    app vision_loop serving page_address announcing notify sole start_counter storage light_keeper advice
    pace
What an eye is told, taught and corrected
    eye_options stored_eyes teaching lessons taught_sets corrections
What the host sets up
    guide guide_desk machine_check erasing exports
A game from photographs
    photographs photographed_board folder_run agreement
The command line
    cli progress __main__
"""
