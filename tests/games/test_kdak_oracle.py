"""The rules of K'Dak's Tower against a plain telling of the authors' text, through whole random games."""

import random
from collections import Counter

import pytest

from companion.games import kdak
from companion.games.kdak.tower import CORNERS, TILES

BESIDE = {"a": "bc", "b": "ad", "c": "ad", "d": "bc"}
TITLES = ((53, "supreme camel boy"), (48, "lead camel boy"), (42, "big camel boy"), (37, "camel boy"))
GAMES = 120
OUT = "out"


class Plain:
    """A game told with lists: columns of [tile, face-up] from below, pawns as [level, corner, fell here]."""

    def __init__(self, variant, climb_up, turn_down, chance):
        deck = chance.sample(TILES, len(TILES))
        self.columns = {corner: [[deck.pop(), False] for _ in range(6)] for corner in CORNERS}
        self.variant, self.climb_up, self.turn_down = variant, climb_up, turn_down
        self.alone = variant in ("solitaire", "cooperative")
        players = 1 if variant == "solitaire" else 2
        self.pawns, self.gold, self.coins = [None] * players, [0] * players, [0] * players
        self.seat, self.phase, self.level = 0, "move", None
        self.door = self.calm = self.lost = False

    def legal(self):
        if self.phase == "roll":
            return {f"r{level}" for level in range(6)}
        if self.phase == "take":
            return {f"x{self.level}{corner}" for corner, tiles in self.columns.items() if len(tiles) > self.level}
        if self.phase == "coin":
            return {"coin", "end"}
        return self.steps() if self.phase == "move" else set()

    def steps(self):
        pawn, columns = self.pawns[self.seat], self.columns
        if pawn is None:
            found = {f"0{corner}" for corner in columns if columns[corner]}
        else:
            level, corner, fell = pawn
            found = {f"{level}{other}" for other in BESIDE[corner] if len(columns[other]) > level}
            found |= {f"{level - 1}{corner}"} if level else set()
            if len(columns[corner]) > level + 1:
                shown = sum(tiles[level][1] for tiles in columns.values() if len(tiles) > level)
                if self.alone or shown >= 2 or (self.climb_up and columns[corner][level + 1][1]):
                    found.add(f"{level + 1}{corner}")
            found |= {"stay"} if fell and not columns[corner][level][1] else set()
            found |= {"out"} if level == 0 and self.door else set()
        found = found or {"pass"}
        return found | ({"coin"} if self.alone and self.coins[self.seat] and not self.calm else set())

    def do(self, move):
        """One move; the tile that it turned up or took, if any."""
        if self.phase == "roll":
            highest = max(map(len, self.columns.values())) - 1
            self.phase, self.level = "take", min(int(move[1]), highest)
        elif self.phase == "take":
            return self.take(int(move[1]), move[2])
        elif self.phase == "coin" and move == "end":
            self.next()
        elif move == "coin":
            self.coins[self.seat] -= 1
            self.calm, self.phase = self.alone, "move"
        elif move == "out":
            self.pawns[self.seat] = OUT
            self.stepped()
        elif move == "pass":
            self.stepped()
        else:
            if move != "stay":
                self.pawns[self.seat] = [int(move[0]), move[1], False]
            return self.arrive()
        return None

    def arrive(self):
        level, corner, _ = self.pawns[self.seat]
        tile = self.columns[corner][level]
        name, up = tile
        if not up:
            tile[1], self.pawns[self.seat][2] = True, False
            self.coins[self.seat] += self.variant == "talisman" and name[1] == "n"
            if self.door:
                self.gold[self.seat] += "na2345".index(name[1])
            elif level == 5:
                self.switch()
        self.stepped()
        return None if up else name

    def switch(self):
        self.door = True
        self.coins[self.seat] += self.alone
        if self.alone and not self.turn_down:
            return
        for pawn in self.pawns:
            if isinstance(pawn, list) and self.columns[pawn[1]][pawn[0]][1]:
                pawn[2] = False
        for tiles in self.columns.values():
            for tile in tiles:
                tile[1] = False

    def take(self, level, corner):
        name, _ = self.columns[corner].pop(level)
        for seat, pawn in enumerate(self.pawns):
            if isinstance(pawn, list) and pawn[1] == corner and pawn[0] >= level:
                fell = pawn[2] or pawn[0] == level
                self.pawns[seat] = [pawn[0] - 1, corner, fell] if pawn[0] else OUT
        tops = max(map(len, self.columns.values()))
        self.lost = self.alone and not self.door and (tops < 6 or self.all_out())
        if self.lost or self.ended():
            self.phase = "over"
        else:
            self.turn_ends()
        return name

    def stepped(self):
        if self.ended():
            self.phase = "over"
        elif (self.door or self.alone) and not self.calm:
            self.phase = "roll"
        else:
            self.turn_ends()

    def all_out(self):
        return all(pawn == OUT for pawn in self.pawns)

    def ended(self):
        shown = all(up for tiles in self.columns.values() for _, up in tiles)
        return self.all_out() or (self.door and not self.alone and shown)

    def turn_ends(self):
        self.calm = False
        if self.variant == "talisman" and self.coins[self.seat] and self.pawns[self.seat] != OUT:
            self.phase = "coin"
        else:
            self.next()

    def next(self):
        order = [(self.seat + step) % len(self.pawns) for step in range(1, len(self.pawns) + 1)]
        self.seat, self.phase = next(seat for seat in order if self.pawns[seat] != OUT), "move"


def chosen(plain, hasty, chance):
    """Upwards until the switch, then, who is hasty, down and out, and anything now and then: else none gets far."""
    legal, pawn = sorted(plain.legal()), plain.pawns[plain.seat]
    wanted = -1 if plain.door else 1
    steps = [m for m in legal if isinstance(pawn, list) and m[0].isdigit() and int(m[0]) == pawn[0] + wanted]
    ways = steps or [move for move in legal if move == "out"]
    eager = chance.random() < ((0.7 if hasty else 0.0) if plain.door else 0.95)
    return chance.choice(ways if ways and plain.phase == "move" and eager else legal)


def places(pawns):
    return [OUT if pawn.out else pawn.place and str(pawn.place) for pawn in pawns]


@pytest.mark.parametrize("variant", ["duel", "talisman", "solitaire", "cooperative"])
def test_both_tellings_agree_through_whole_random_games(variant):
    chance, ends = random.Random(variant), Counter()
    for _ in range(GAMES):
        climb_up, turn_down = chance.random() < 0.3, chance.random() < 0.6
        options = {"variant": variant, "up_onto_face_up": climb_up, "solitaire_turn_down": turn_down}
        ours, plain, hasty = kdak.start(options), Plain(variant, climb_up, turn_down, chance), chance.random() < 0.5
        while plain.phase != "over":
            assert {kdak.write_move(ours, move) for move in kdak.moves(ours)} == plain.legal()
            text = chosen(plain, hasty, chance)
            ours, name = kdak.play(ours, kdak.read_move(ours, text)).position, plain.do(text)
            if ours.phase in ("reveal", "discard"):
                ours = kdak.play(ours, kdak.read_move(ours, f"={name}")).position
            assert (ours.phase, ours.door_open) == (plain.phase, plain.door)
            assert (list(ours.scores), list(ours.coins)) == (plain.gold, plain.coins)
            assert places(ours.pawns) == [p if p in (None, OUT) else f"{p[0]}{p[1]}" for p in plain.pawns]
            shown = [[tile.up for tile in column] for column in ours.tower]
            assert shown == [[up for _, up in tiles] for tiles in plain.columns.values()]
        ended = kdak.outcome(ours)
        ends[ended.reason] += 1
        if not plain.alone:
            assert ended.winners == tuple(seat for seat, gold in enumerate(plain.gold) if gold == max(plain.gold))
            continue
        assert (ended.reason == "lost") == plain.lost
        title = next((name for least, name in TITLES if sum(plain.gold) >= least), None)
        assert plain.lost or title is None or ended.text.endswith(f": {title}!")
    assert len(ends) == 2
