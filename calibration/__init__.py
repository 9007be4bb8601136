"""From printed paper to millimetres and true colours; knows no game. `wizard` is where to begin reading.

The guided steps, and what is kept of them
    wizard store files
What pictures of the paper tell: the lens, where the camera is, the light
    markers measure_lens lens table colours light
The paper
    sheets tiling paper
What can go wrong
    errors
"""
