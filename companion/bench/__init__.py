"""Measurements. A bench is a module here with `run(say)`; its name and meaning stand in this table."""

BENCHES = {
    "rules": "full turns of Khet and leaves of Ataxx per second, beside plain implementations",
    "vision": "accuracy and time of each stage of reading a picture",
    "pyramids": "accuracy and time of finding pyramids on free tables",
    "piecepack": "tiles, coins, pawns and dice of simulated tables and of samples: labels, places, times",
    "simulator": "frames a second of the virtual table",
    "discs": "discs on square boards: cells and boards right, and times",
    "noise": "a dark room: boards and free tables in one picture, and at rest before a camera",
    "games": "random games from frames alone: wrong moves, questions, refusals, and how long players wait",
    "albums": "random games as photographs in a folder: read as they were made, ends right, and times",
    "phones": "how soon two hundred phones hear of a move, and what memory they cost",
    "dice": "pip dice anywhere in a picture: values right, and times",
}
