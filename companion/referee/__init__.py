"""Knows what lies on the table, what was played, and what hands have still to do. `table` is where to begin reading.

The game and its record
    table state consequences happenings recorder record settings
What phones and buttons ask, and what they are told
    commands answers orders order_checks button readmodel game_list going_on sitting snapshot picture reminders in_vain
    withheld reading
Before play, and its end
    choices beginning setup endings draws draw_offer
Dice and what else chance decides
    chance dice thrown
Views made ready, layouts weighed against them, and the action that explains them
    views evidence explanations
What follows: waiting, accepting, asking, refusing, putting right
    responses unexplained asking denied refusing amiss drawn_answers let_stand facing naming put_right
    steps
In words
    words turn_words spelling upshot
Photographs, where nobody can be asked
    photographs
"""
