"""Every numbered rule of Khet in our own words, and the function that enforces it."""

from companion.games.base import Rule

_HERE = "companion.games.khet."

RULES: tuple[Rule, ...] = tuple(
    Rule(f"Khet {number}", text, _HERE + where)
    for number, where, text in (
        (
            "2.layouts",
            "setup:start",
            "The game begins from a named set-up, which brings its edition, or from a set-up of one's own.",
        ),
        (
            "2.reserved",
            "position:reserved",
            "The a file, i1 and i8 belong to red alone; the j file, b1 and b8 to silver alone.",
        ),
        (
            "2.lasers",
            "position:laser",
            "In 2.0 the light comes from the sphinx in one's right-hand corner, in 1.0 from the rim beside it.",
        ),
        (
            "3a.pharaoh",
            "faces:TURNS",
            "A pharaoh steps one square in any of eight directions and is never turned or swapped; "
            "light from any side hits it.",
        ),
        (
            "3a.pyramid",
            "faces:FACES",
            "A pyramid steps one square or turns a quarter; its mirror turns light from two sides, "
            "from the other two it is hit.",
        ),
        (
            "3a.scarab",
            "judge:check_swap",
            "A scarab steps, turns a quarter or swaps with a pyramid, anubis, obelisk or stack beside"
            " it, neither turning; it mirrors on both sides and is never removed.",
        ),
        (
            "3a.eye",
            "beam:rays",
            "An Eye of Horus acts like a scarab; half of the light runs straight on, half is "
            "mirrored; it is never removed.",
        ),
        (
            "3a.obelisk",
            "actions:actions",
            "An obelisk (1.0) steps one square, onto a single one of its own side to form a stack; "
            "light from any side removes it.",
        ),
        (
            "3a.stack",
            "judge:check_top",
            "Two obelisks are the highest stack; it steps as one, or its top one steps off; a hit "
            "takes the top one only.",
        ),
        (
            "3a.anubis",
            "faces:FACES",
            "An anubis (2.0) steps one square or turns a quarter; its front swallows light, from the "
            "other sides it is hit.",
        ),
        (
            "3a.sphinx",
            "judge:check_step",
            "A sphinx (2.0) never moves and swallows light from every side; turning it to its other "
            "facing is an action.",
        ),
        (
            "3b.1",
            "judge:check_one_action",
            "A turn is one action with one own piece, a move or a quarter turn; then the own laser "
            "fires once, for good.",
        ),
        ("3b.2", "judge:check_reserved", "No piece goes onto a square that bears the other side's sign."),
        ("3b.3", "judge:check_square_is_free", "An occupied square is entered only by a swap or by stacking obelisks."),
        (
            "3b.4",
            "beam:struck",
            "Light ends at the edge of the board or on a face that is no mirror; it hits own pieces too.",
        ),
        ("3b.5", "play:outcome", "Whose pharaoh is hit has lost, whoever fired."),
        ("3b.6", "play:both_pharaohs", "Who hits both pharaohs with one shot has lost."),
        (
            "3b.7",
            "play:repeated",
            "When an arrangement stands for the third time, the player about to move may declare a draw.",
        ),
        (
            "3b.8",
            "play:outcome",
            "No rule knows an agreed draw, resignation or a limit on moves; players may agree on them at the table.",
        ),
        (
            "3b.9",
            "play:outcome",
            "No rule sets a time; a board may be set to start afresh after an hour without a move.",
        ),
        (
            "Q1",
            "actions:swap_lands_well",
            "A swap may not push the other piece onto a square reserved against it, unless the house rule allows it.",
        ),
        ("Q2", "play:both_pharaohs", "Both pharaohs in one shot: the mover loses; a house rule makes it a draw."),
        (
            "Q3",
            "beam:rays",
            "A beam ends where it would run on a way already lit in this shot in the same direction; "
            "what was hit stays hit.",
        ),
        (
            "Q4",
            "beam:struck",
            "Light that comes back to its source ends there: a sphinx swallows it, in 1.0 it leaves over the rim.",
        ),
        (
            "Q5",
            "play:without",
            "The whole shot is traced on the unchanged board; then everything that was hit is removed together.",
        ),
        ("Q6", "play:without", "Two beams of one shot on a stack take one obelisk."),
        ("Q7", "beam:rays", "A pyramid hit on its back still mirrors another beam of the same shot."),
        ("Q8", "judge:check_turn", "Turning a pharaoh or an obelisk is no action."),
        ("Q9", "judge:check", "A turn cannot be passed."),
        ("Q10", "faces:TURNS", "A scarab or an eye turned left or right is the same action."),
        (
            "Q11",
            "judge:check_turn",
            "A sphinx has two facings, up its file and along its rank, and never fires off the board.",
        ),
        ("Q12", "actions:turns", "Turning the sphinx is the action; it then fires its new way."),
        ("Q13", "judge:check_top", "The top obelisk may step onto a single one of its own side."),
        ("Q14", "play:after_action", "A scarab or an eye swaps with a whole stack."),
        ("Q15", "judge:check_swap", "Scarabs and eyes never swap with one another."),
        ("Q16", "position:laser", "In 1.0 pieces may stand on j1 and a8; they are the first to meet the light."),
        (
            "Q17",
            "play:claims",
            "A repetition is announced and may be claimed by the player about to move; the start "
            "counts, and so does whose turn it is.",
        ),
        ("Q18", "play:outcome", "An agreed draw is a convenience of the table and no rule."),
        ("Q19", "setup:start", "Silver begins, unless the table agrees that red does."),
        ("Q20", "validity:reasons", "The layout says how many eyes there are; the rules set no limit."),
        ("Q21", "faces:FACES", "Light follows the four right-angled facings, however a piece stands askew."),
        (
            "Q22",
            "table:layout",
            "The next action is accepted only when exactly the pieces that were hit are off the board.",
        ),
        ("Q23", "play:outcome", "A side without any lawful action: a draw."),
    )
)
