"""Positions, moves and files of any text: read and written the same again, or refused in words, never anything else."""

import random

import pytest
from parsers import Parser, mutated, parsers

from companion.errors import OddPosition, UnreadableText
from companion.games import game

PARSERS = parsers()
MANY = 300_000  # of each parser; a million of each take five minutes of a core


def campaign(parser: Parser, count: int, seed: int) -> int:
    """So many broken texts; how many of them could be read all the same."""
    rng, read = random.Random(seed), 0
    for _ in range(count):
        text = mutated(rng, parser.seeds)
        try:
            read += parser.check(text)
        except Exception as error:
            error.add_note(f"{parser.name}: {text!r}")
            raise
    return read


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_broken_texts_are_read_or_refused(parser: Parser) -> None:
    assert all(parser.check(text) for text in parser.seeds)
    assert 0 < campaign(parser, 6000, 1) < 6000


def test_numbers_beyond_all_measure_are_refused_at_once() -> None:
    kdak, ataxx = game("kdak"), game("hexxagon")
    text = kdak.write_position(kdak.start({})).split()
    data = dict(ataxx.to_json(ataxx.start({})))
    for huge in (9, 10**26):
        with pytest.raises(OddPosition, match=f"there is no seat {huge}"):
            kdak.read_position(" ".join([*text[:3], str(huge), *text[4:]]))
        with pytest.raises(UnreadableText):
            ataxx.from_json({**data, "size": huge})


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_hundreds_of_thousands_of_broken_texts_of_each_kind(parser: Parser) -> None:
    print(f"{MANY} broken texts, {campaign(parser, MANY, 2)} of them could be read")
