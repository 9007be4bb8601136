"""The numbered rules of Kaxxt on Ice in our own words, each with the function that enforces it."""

from companion.games.base import Rule

_HERE = "companion.games.kaxxt"


def _rules(*rows: tuple[str, str, str]) -> tuple[Rule, ...]:
    return tuple(Rule(number, text, f"{_HERE}.{where}") for number, text, where in rows)


RULES = _rules(
    ("X1", "Kaxxt's card, a die, shield cards, and one set of fifteen pyramids in a bag.", "pyramids:SET"),
    ("X2", "Two to four players sit round Kaxxt, who faces his target.", "setup:start"),
    ("X3", "Everybody and Kaxxt have 30 shield points; with none left you are out.", "attack:settle"),
    ("X4", "You win when you destroy Kaxxt or are the last one in.", "attack:outcome"),
    ("X5", "The first target is agreed on; the target is the player on turn.", "setup:start"),
    ("X6", "In a turn you may draw one pyramid, play it before you, and rearrange your own.", "actions:check_draw"),
    ("X7", "The die: 1 red, 2 blue, 3 green, 4 yellow laser, 5 turn Kaxxt and roll again, 6 direct.", "actions:play"),
    ("X8", "A laser has three points.", "attack:power"),
    ("X9", "The direct attack cannot be blocked.", "attack:direct"),
    ("X10", "Once the bag is empty every attack has six points.", "attack:power"),
    ("X11", "After the attack Kaxxt turns clockwise to the next player, whose turn it is.", "attack:settle"),
    ("X12", "Kaxxt's beam meets only what stands between him and you; the rest of it hits you.", "beam:Tracer.fire"),
    ("X13", "A pyramid turns only beams of its own colour.", "stacks:meet"),
    ("X14", "Wherever a beam comes from, it leaves by the tip.", "lanes:direction"),
    ("X15", "The size says how much of the beam is turned; a large one turns all of it.", "stacks:share"),
    ("X16", "Pointing at Kaxxt sends the beam back at him.", "lanes:direction"),
    ("X17", "Pointing left or right sends it to the next player that way round the table.", "lanes:direction"),
    ("X18", "Standing upright sends it away from everyone.", "lanes:direction"),
    ("X19", "No pyramid points diagonally.", "arranging:check_straight"),
    ("X20", "In a stack nothing stands on something smaller.", "arranging:check_stack"),
    ("X21", "What the bottom one catches goes through the top one and takes its colour.", "stacks:meet"),
    ("X22", "Colours change only in a stack, not by pointing at another pyramid.", "stacks:meet"),
    ("X23", "The size of the top one does not matter for that.", "stacks:meet"),
    ("X24", "Black recharges your shield.", "attack:settle"),
    ("X25", "Black does nothing to a beam that nobody of yours has turned.", "stacks:meet"),
    ("X26", "Black takes beams fed to it by your coloured pyramids.", "stacks:meet"),
    ("X27", "Black absorbs as many points as it has pips; the rest goes on.", "stacks:meet"),
    (
        "X28",
        "A beam from the side is caught by any matching pyramid before you; what none catches hits you.",
        "beam:Tracer",
    ),
    ("X29", "A beam that reaches you for the third time annihilates you and stops.", "beam:Tracer"),
    (
        "X30",
        "Strange placements are allowed; the beam is traced in the spirit of the rules.",
        "arranging:check_arrange",
    ),
    ("XA1", "Usually a pyramid turns pips/3 of a beam, to the nearest point; or at most its pips.", "stacks:share"),
    ("XA2", "Left and right are the player's own, facing Kaxxt; left is clockwise from above.", "sides:Side"),
    ("XA3", "With two players both ways lead to the other one.", "beam:Tracer"),
    ("XA4", "Who is out is skipped, and his pyramids leave the game.", "attack:settle"),
    ("XA5", "Arrivals are counted along one beam, Kaxxt's shot included; branches count apart.", "beam:Tracer"),
    ("XA6", "The third arrival annihilates whatever stands there; other branches go on.", "beam:Tracer"),
    ("XA7", "Turned for the third time by one pyramid within one visit: annihilated, too.", "beam:Tracer"),
    ("XA8", "Pointing at yourself is allowed; what leaves that way hits you.", "lanes:direction"),
    ("XA9", "A turned beam keeps its row or column; a beam from the side sweeps all rows.", "beam:Tracer"),
    ("XA10", "On the line is what covers it or stands within a small base (14 mm) of it.", "lanes:line_gap_mm"),
    ("XA11", "A direction counts within 30 degrees; beyond that the table is asked.", "lanes:direction"),
    ("XA12", "The top one also catches its own colour from what the bottom let by.", "stacks:meet"),
    ("XA13", "Stacks of three are allowed while nothing grows; the last colour counts.", "arranging:check_stack"),
    ("XA14", "Black in a stack absorbs what goes through it and changes no colour.", "stacks:meet"),
    ("XA15", "Black absorbs by pips, not by thirds.", "stacks:meet"),
    ("XA16", "A neighbour's beam is of no use to your black until one of yours has turned it.", "stacks:meet"),
    ("XA17", "No shield goes above 30.", "attack:settle"),
    ("XA18", "All damage and recharge of one attack count at once; then it is seen who is out.", "attack:settle"),
    ("XA19", "Whose pyramids sent the last beam at Kaxxt destroyed him; several may share.", "attack:settle"),
    ("XA20", "If all are out at once, nobody wins.", "attack:outcome"),
    ("XA21", "The bag is looked at when the attack comes: drawing the last pyramid is enough.", "attack:power"),
    ("XA22", "On a 5 the roller turns Kaxxt to another player still in, who does not draw.", "actions:check_face"),
    ("XA23", "After that Kaxxt goes on clockwise from whom he faces, even past somebody.", "attack:settle"),
    ("XA24", "Drawing is optional, once in a turn.", "actions:check_draw"),
    ("XA25", "The direct attack, too, has six points once the bag is empty.", "attack:direct"),
)
