"""Every numbered rule of Khet in our own words, and the function that enforces it."""

from companion.games.base import numbered

RULES = numbered(
    "companion.games.khet",
    (
        "Khet 2.layouts",
        "The game begins from a named set-up, which brings its edition, or from a set-up of one's own.",
        "setup:start",
    ),
    (
        "Khet 2.reserved",
        "The a file, i1 and i8 belong to red alone; the j file, b1 and b8 to silver alone.",
        "position:reserved",
    ),
    (
        "Khet 2.lasers",
        "In 2.0 the light comes from the sphinx in one's right-hand corner, in 1.0 from the rim beside it.",
        "position:laser",
    ),
    (
        "Khet 3a.pharaoh",
        "A pharaoh steps one square in any of eight directions and is never turned or swapped; light from any "
        "side hits it.",
        "faces:TURNS",
    ),
    (
        "Khet 3a.pyramid",
        "A pyramid steps one square or turns a quarter; its mirror turns light from two sides, from the other two "
        "it is hit.",
        "faces:FACES",
    ),
    (
        "Khet 3a.scarab",
        "A scarab steps, turns a quarter or swaps with a pyramid, anubis, obelisk or stack beside it, neither "
        "turning; it mirrors on both sides and is never removed.",
        "judge:check_swap",
    ),
    (
        "Khet 3a.eye",
        "An Eye of Horus acts like a scarab; half of the light runs straight on, half is mirrored; it is never "
        "removed.",
        "beam:rays",
    ),
    (
        "Khet 3a.obelisk",
        "An obelisk (1.0) steps one square, onto a single one of its own side to form a stack; light from any "
        "side removes it.",
        "actions:actions",
    ),
    (
        "Khet 3a.stack",
        "Two obelisks are the highest stack; it steps as one, or its top one steps off; a hit takes the top one only.",
        "judge:check_top",
    ),
    (
        "Khet 3a.anubis",
        "An anubis (2.0) steps one square or turns a quarter; its front swallows light, from the other sides it "
        "is hit.",
        "faces:FACES",
    ),
    (
        "Khet 3a.sphinx",
        "A sphinx (2.0) never moves and swallows light from every side; turning it to its other facing is an action.",
        "judge:check_step",
    ),
    (
        "Khet 3b.1",
        "A turn is one action with one own piece, a move or a quarter turn; then the own laser fires once, for good.",
        "judge:check_one_action",
    ),
    ("Khet 3b.2", "No piece goes onto a square that bears the other side's sign.", "judge:check_reserved"),
    (
        "Khet 3b.3",
        "An occupied square is entered only by a swap or by stacking obelisks.",
        "judge:check_square_is_free",
    ),
    (
        "Khet 3b.4",
        "Light ends at the edge of the board or on a face that is no mirror; it hits own pieces too.",
        "beam:struck",
    ),
    ("Khet 3b.5", "Whose pharaoh is hit has lost, whoever fired.", "play:outcome"),
    ("Khet 3b.6", "Who hits both pharaohs with one shot has lost.", "play:both_pharaohs"),
    (
        "Khet 3b.7",
        "When an arrangement stands for the third time, the player about to move may declare a draw.",
        "play:repeated",
    ),
    (
        "Khet 3b.8",
        "No rule knows an agreed draw, resignation or a limit on moves; players may agree on them at the table.",
        "play:outcome",
    ),
    (
        "Khet 3b.9",
        "No rule sets a time; a board may be set to start afresh after an hour without a move.",
        "play:outcome",
    ),
    (
        "Khet Q1",
        "A swap may not push the other piece onto a square reserved against it, unless the house rule allows it.",
        "actions:swap_lands_well",
    ),
    ("Khet Q2", "Both pharaohs in one shot: the mover loses; a house rule makes it a draw.", "play:both_pharaohs"),
    (
        "Khet Q3",
        "A beam ends where it would run on a way already lit in this shot in the same direction; what was hit "
        "stays hit.",
        "beam:rays",
    ),
    (
        "Khet Q4",
        "Light that comes back to its source ends there: a sphinx swallows it, in 1.0 it leaves over the rim.",
        "beam:struck",
    ),
    (
        "Khet Q5",
        "The whole shot is traced on the unchanged board; then everything that was hit is removed together.",
        "play:without",
    ),
    ("Khet Q6", "Two beams of one shot on a stack take one obelisk.", "play:without"),
    ("Khet Q7", "A pyramid hit on its back still mirrors another beam of the same shot.", "beam:rays"),
    ("Khet Q8", "Turning a pharaoh or an obelisk is no action.", "judge:check_turn"),
    ("Khet Q9", "A turn cannot be passed.", "judge:check"),
    ("Khet Q10", "A scarab or an eye turned left or right is the same action.", "faces:TURNS"),
    (
        "Khet Q11",
        "A sphinx has two facings, up its file and along its rank, and never fires off the board.",
        "judge:check_turn",
    ),
    ("Khet Q12", "Turning the sphinx is the action; it then fires its new way.", "actions:turns"),
    ("Khet Q13", "The top obelisk may step onto a single one of its own side.", "judge:check_top"),
    ("Khet Q14", "A scarab or an eye swaps with a whole stack.", "play:after_action"),
    ("Khet Q15", "Scarabs and eyes never swap with one another.", "judge:check_swap"),
    ("Khet Q16", "In 1.0 pieces may stand on j1 and a8; they are the first to meet the light.", "position:laser"),
    (
        "Khet Q17",
        "A repetition is announced and may be claimed by the player about to move; the start counts, and so does "
        "whose turn it is.",
        "play:claims",
    ),
    ("Khet Q18", "An agreed draw is a convenience of the table and no rule.", "play:outcome"),
    ("Khet Q19", "Silver begins, unless the table agrees that red does.", "setup:start"),
    ("Khet Q20", "The layout says how many eyes there are; the rules set no limit.", "validity:reasons"),
    ("Khet Q21", "Light follows the four right-angled facings, however a piece stands askew.", "faces:FACES"),
    (
        "Khet Q22",
        "The next action is accepted only when exactly the pieces that were hit are off the board.",
        "table:layout",
    ),
    ("Khet Q23", "A side without any lawful action: a draw.", "play:outcome"),
)
