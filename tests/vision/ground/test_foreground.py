"""What a table looks like before anything is made out on it."""

import numpy as np
from drawn_tables import camera

from companion.vision.ground.foreground import see_ground
from companion.vision.reader import TablePicture


def test_a_quite_even_picture_has_nothing_on_it_and_a_texture_whose_logarithm_can_be_taken():
    even = TablePicture(np.full((1200, 1600, 3), 120, np.uint8), np.ones(3), camera())
    ground = see_ground(even)
    assert ground.regions == ()
    assert np.isfinite(np.log(ground.texture))
