"""What a capture hangs on within the camera's error is asked about."""

import pytest
from close_shots import CLEARLY, GRAZING, PASSING, looked_at


@pytest.mark.parametrize(("aimed", "captured"), [(True, (("cyan", "large"),)), (False, ())])
def test_whether_a_grazing_ray_captures_is_for_people_to_say(aimed, captured):
    bench = looked_at(GRAZING)
    question = bench.table.question
    texts = {choice.text: choice.id for choice in question.choices if choice.id != "no"}
    assert len(texts) == 2
    (chosen,) = [name for text, name in texts.items() if ("captures cyan" in text) is aimed]
    bench.answer(chosen)
    assert len(bench.position.pieces) == 5
    assert bench.position.captured[0] == captured


@pytest.mark.parametrize(("beside_mm", "captured"), [(CLEARLY, (("cyan", "large"),)), (PASSING, ())])
def test_what_a_ray_clearly_meets_or_passes_is_not_asked(beside_mm, captured):
    bench = looked_at(beside_mm)
    assert bench.table.question is None
    assert len(bench.position.pieces) == 5
    assert bench.position.captured[0] == captured
