"""Dice with pips, in a picture of dice (`search`) and loose among other pieces (`loose_dice`)."""
