"""Measurements. A bench is a module here with `run(say)`; its name and meaning stand in this table."""

BENCHES = {
    "rules": "full turns of Khet and leaves of Ataxx per second, beside plain implementations",
    "vision": "accuracy and time of each stage of reading a picture",
    "pyramids": "accuracy and time of finding pyramids on free tables",
    "simulator": "frames a second of the virtual table",
}
