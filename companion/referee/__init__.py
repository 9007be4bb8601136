"""Knows what lies on the table, what was played, and what hands have still to do. `table` is where to begin reading.

The game and its record
    table state consequences happenings recorder record settings
What phones and buttons ask, and what they are told
    commands answers orders order_checks button readmodel game_list going_on sitting snapshot picture reminders withheld
    reading
Before play, and its end
    choices beginning setup endings draws draw_offer
Dice and what else chance decides
    chance dice thrown
Views made ready: is it seen well, was it touched, what did the host say
    sight debounce touch told corrected known ready_views own_colours blends twins held flickers strangers
    free_alignment
How well a layout fits what is seen: on cells, lying free, on a plan that may lie anywhere
    evidence cell_evidence free_evidence free_costs free_layouts free_matching free_strays laid laid_settings plan_poses
    plan_search
Which action explains it
    outlook weighing explain deciding explanation another_table two_plies taken_back wavering hardly_seen seen_otherwise
    exchanged supposed unexplained
What follows: waiting, accepting, asking, refusing, putting right
    responses asking denied refusing amiss asides drawn_answers let_stand facing naming put_right
    steps
In words
    words turn_words spelling upshot
Photographs, where nobody can be asked
    photographs read_anew second_thoughts played_on
"""
