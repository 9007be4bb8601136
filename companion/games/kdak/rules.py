"""The numbered rules in our own words, each with the function that enforces it."""

from companion.games.base import Rule

_STEPS, _PLAY = "companion.games.kdak.steps:", "companion.games.kdak.play:"
_HERE = "companion.games.kdak"

_TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "K0",
        f"{_HERE}.setup:start",
        "24 tiles face-down make six levels of 2x2, a value coin by each; pawns begin outside.",
    ),
    ("K1", f"{_STEPS}refusal_to_go", "The first step leads onto any tile of the null level."),
    ("K2", f"{_PLAY}_arrive", "A face-down tile that is entered is turned face-up; its number is its gold."),
    ("K3", f"{_STEPS}refusal_to_leave", "The door is shut until the switch, and no gold counts before it."),
    ("K4", f"{_STEPS}refusal_to_go", "A step goes to a tile beside (never diagonally) or directly down a level."),
    ("K5", f"{_STEPS}_refusal_to_climb", "Up one level only from a level that shows two face-up tiles or more."),
    ("K6", f"{_STEPS}refusal_to_go", "A face-up tile within a step may always be entered."),
    ("K7", f"{_STEPS}refusal_to_go", "Both pawns may share a tile."),
    (
        "K8",
        f"{_PLAY}_switch",
        "The first pawn on level 5 turns its tile up and opens the door; then all tiles are turned down.",
    ),
    (
        "K9",
        f"{_PLAY}_roll",
        "From then on every turn ends with the die: that level loses a tile of the roller's choice.",
    ),
    ("K10", f"{_PLAY}_take", "The tile leaves the game and is shown to everybody."),
    ("K11", f"{_PLAY}_dropped", "A pawn on it falls onto the tile beneath, from the null level out of the tower."),
    ("K12", f"{_HERE}.tower:without", "Then all tiles above drop one level with the pawns on them."),
    ("K13", f"{_PLAY}_dropped", "A fall turns no tile."),
    (
        "K14",
        f"{_PLAY}_turn_up",
        "After the switch a face-down tile that is entered is turned and counts; a face-up one does not.",
    ),
    ("K15", f"{_STEPS}refusal_to_stay", "A pawn that fell onto a face-down tile may stay, turn it and take its gold."),
    (
        "K16",
        f"{_HERE}.tower:doomed_level",
        "When the rolled level is empty, the highest level that is left loses a tile.",
    ),
    ("K17", f"{_STEPS}_refusal_to_enter", "Who has left the tower does not come back."),
    (
        "K18",
        f"{_HERE}.position:Position.finished",
        "The game is over when all remaining tiles are face-up, or everybody is out.",
    ),
    ("K19", f"{_PLAY}outcome", "More gold wins."),
    ("K20", f"{_PLAY}_turn_up", "Talisman: turning up a null tile gives a coin, going up and coming down."),
    ("K21", f"{_PLAY}_switch", "The switch reloads the nulls: turned down, they give a coin again."),
    ("K22", f"{_PLAY}_coin", "A coin buys one more turn and is gone; several may follow each other."),
    (
        "K23",
        f"{_HERE}.position:Position.crumbling",
        "Alone, the tower crumbles from the first step; gold counts only on the way down.",
    ),
    ("K24", f"{_STEPS}_refusal_to_climb", "Alone, no face-up tiles are needed to climb."),
    ("K25", f"{_PLAY}_switch", "Any tile of level 5 gives the talisman and opens the door; nobody leaves before."),
    ("K26", f"{_PLAY}_hopeless", "No tile left on level 5 before that: lost."),
    ("K27", f"{_PLAY}_coin", "The talisman buys one turn that takes no tile."),
    ("K28", f"{_PLAY}title", "Titles from 37, 42, 48 and 53 points."),
    ("K29", f"{_PLAY}_outcome_alone", "Together: the same for two, with one purse."),
    (
        "KA1",
        f"{_STEPS}_within_reach",
        "Neighbouring squares of the line do not touch; levels connect at the same corner only.",
    ),
    ("KA2", f"{_STEPS}refusal_to_pass", "A pawn that can move must."),
    (
        "KA3",
        f"{_STEPS}_refusal_to_climb",
        "A face-up tile above does not lift the two-tile rule, unless the house says so.",
    ),
    ("KA4", f"{_STEPS}_refusal_to_climb", "The tile under the pawn counts as one of the two."),
    ("KA5", f"{_STEPS}_refusal_to_climb", "After the switch the same test is made on the tower as it stands."),
    ("KA6", f"{_STEPS}refusal_to_leave", "Nobody leaves before the switch, not even while the other is still outside."),
    ("KA7", f"{_PLAY}_turn_up", "The tile that triggers the switch gives no gold."),
    ("KA8", f"{_STEPS}refusal_to_stay", "A tile that the switch turned down under a pawn gives no leave to stay."),
    ("KA9", f"{_PLAY}_dropped", "A pawn carried down with its tile has not fallen."),
    ("KA10", f"{_PLAY}_take", "Two pawns on the tile that goes both fall."),
    ("KA11", f"{_PLAY}_take", "Whoever rolled chooses the tile, on the highest level too."),
    ("KA12", f"{_PLAY}_after_step", "The first roll belongs to the turn that hits the switch."),
    (
        "KA13",
        f"{_STEPS}refusal_to_leave",
        "Leaving is a step from any tile of the null level; the same turn still rolls.",
    ),
    ("KA14", f"{_PLAY}_next_seat", "Who is out has no more turns; the other plays on."),
    ("KA15", f"{_PLAY}_after_step", "The end is looked for after the step (then no roll) and after the removal."),
    ("KA16", f"{_PLAY}_dropped", "Falling out of the tower keeps the gold."),
    ("KA17", f"{_PLAY}outcome", "Equal gold: both win."),
    (
        "KA18",
        f"{_PLAY}_turn_ends",
        "A coin is used after the player's own turn, in the tower, for a whole turn with its roll.",
    ),
    ("KA19", f"{_PLAY}_turn_up", "A null that triggers the switch gives its coin and reloads like the others."),
    ("KA20", f"{_PLAY}_switch", "Alone, too, all tiles are turned down at level 5, unless the house says otherwise."),
    ("KA21", f"{_PLAY}_outcome_alone", "Alone, falling out with the talisman is an escape, without it a defeat."),
    ("KA22", f"{_HERE}.position:Position.finished", "Alone, face-up tiles do not end the game: only getting out does."),
    ("KA23", f"{_STEPS}refusal_of_calm", "Alone, the talisman is used between turns: the next turn has no roll."),
    (
        "KA24",
        f"{_PLAY}_hopeless",
        "Together: pawns alternate, whoever reaches level 5 holds the talisman, lost when nobody can any more.",
    ),
    ("KA25", f"{_PLAY}title", "A title needs at least its points."),
)

RULES = tuple(Rule(number, text, place) for number, place, text in _TEXTS)
