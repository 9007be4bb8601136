"""Icehouse pyramids, anywhere on a table; `finder` is where to begin reading.

A pyramid as a shape, and how well it fits what is seen
    shapes hypotheses placed fit search search_settings windows
What proposes hypotheses, and what judges them
    candidates proposals follow climb open judge score look patches
Which of them are there
    finder settings choice seen faint shadows
Stacks and trees
    stacks pairs pair_look trees
Colours, and what a set was taught
    colours hues sets taught labels
A table that is watched: what stayed, came and went since the last look
    known since change came added alone
"""
