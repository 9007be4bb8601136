"""What an eye was taught of a set of pieces: learnt, corrected, kept under names, given to eyes as they are built."""
