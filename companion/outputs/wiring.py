"""Which wire goes where: the pin map of a configuration on the Raspberry Pi's 40-pin header."""

from dataclasses import dataclass

from companion.config import ButtonsConfig, Config, LightsConfig, Section, SoundsConfig, StripConfig

# left and right pin of each row, 1 and 2 first; BCM numbers as "GPIO17"
ROWS = (
    ("3V3", "5V"),
    ("GPIO2", "5V"),
    ("GPIO3", "GND"),
    ("GPIO4", "GPIO14"),
    ("GND", "GPIO15"),
    ("GPIO17", "GPIO18"),
    ("GPIO27", "GND"),
    ("GPIO22", "GPIO23"),
    ("3V3", "GPIO24"),
    ("GPIO10", "GND"),
    ("GPIO9", "GPIO25"),
    ("GPIO11", "GPIO8"),
    ("GND", "GPIO7"),
    ("GPIO0", "GPIO1"),
    ("GPIO5", "GND"),
    ("GPIO6", "GPIO12"),
    ("GPIO13", "GND"),
    ("GPIO19", "GPIO16"),
    ("GPIO26", "GPIO20"),
    ("GND", "GPIO21"),
)
HEADER = tuple(what for row in ROWS for what in row)
NOTES = {
    "lights": "lamp: pin - 330 ohm - long leg of the LED, short leg - GND; a seat without one has its turn on those of "
    "the others: the third seat's lamp blinks twice in a row, the fourth's three times",
    "sounds": "buzzer: pin - plus, minus - GND; above 15 mA by a transistor",
    "buttons": "button: between the pin and GND; no resistor, the pull-up is inside",
    "strip": "strip: pin - 74AHCT125 (3.3 to 5 V) - 330 ohm - data in; 5 V from a supply of its own, 60 mA for each "
    "light at full brightness, its GND joined to the Pi's; SPI switched on: `companion check` says how; for a WS2812 "
    "on a Pi 4 core_freq=500 and core_freq_min=500 in config.txt, or its colours are wrong while the processor idles",
}
SECTIONS: dict[str, type[Section]] = {
    "lights": LightsConfig,
    "sounds": SoundsConfig,
    "buttons": ButtonsConfig,
    "strip": StripConfig,
}
BUS_WORDS = {"strip.data": "colours of the strip", "strip.clock": "clock of the strip"}  # pins that nobody chooses


@dataclass(frozen=True, slots=True)
class Wire:
    """One device on one pin."""

    name: str  # the key in the configuration: "lights.sight"
    gpio: int  # BCM number
    physical: int  # 1 to 40
    ground: int  # the nearest ground pin
    meaning: str

    @property
    def section(self) -> str:
        """lights, sounds, buttons or strip."""
        return self.name.split(".")[0]

    @property
    def device(self) -> str:
        """Its name in that section: "seats.0", "undo"."""
        return self.name.split(".", 1)[1]


def physical_of(gpio: int) -> int:
    """The place of a BCM number on the header."""
    return HEADER.index(f"GPIO{gpio}") + 1


def nearest_ground(physical: int) -> int:
    """The ground pin with the shortest way."""
    grounds = [number for number, what in enumerate(HEADER, start=1) if what == "GND"]
    return min(grounds, key=lambda number: (abs(_row(number) - _row(physical)), number % 2 != physical % 2))


def _row(physical: int) -> int:
    return (physical - 1) // 2


def wires(config: Config) -> tuple[Wire, ...]:
    """Every connected device, section by section."""
    found = []
    for name, gpio in config.pin_map().items():
        physical = physical_of(gpio)
        found.append(Wire(name, gpio, physical, nearest_ground(physical), _meaning(name)))
    return tuple(found)


def _meaning(name: str) -> str:
    if name in BUS_WORDS:
        return BUS_WORDS[name]
    section, key, *place = name.split(".")
    field = SECTIONS[section].model_fields[key]
    return f"whose turn: seat {int(place[0]) + 1}" if place else field.description or ""


def table(config: Config) -> str:
    """One line for each wire, then how each kind is connected."""
    rows = [("device", "GPIO", "pin", "GND pin", "meaning")]
    rows += [(w.name, str(w.gpio), str(w.physical), str(w.ground), w.meaning) for w in wires(config)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
    used = dict.fromkeys(wire.section for wire in wires(config))
    return "\n".join([*lines, "", *(NOTES[section] for section in used)])


def header(config: Config) -> str:
    """The header seen from above, USB sockets below, pin 1 at the top left."""
    names = {wire.physical: wire.name for wire in wires(config)}
    left = max((len(_label(names, number)) for number in range(1, 41, 2)), default=0)
    lines = []
    for number in range(1, 41, 2):
        odd, even = _label(names, number).rjust(left), _label(names, number + 1)
        lines.append(
            f"{odd} {number:2} {_dot(names, number)} {_dot(names, number + 1)} {number + 1:<2} {even}".rstrip()
        )
    return "\n".join(lines)


def _label(names: dict[int, str], number: int) -> str:
    what = HEADER[number - 1]
    return f"{names[number]} ({what})" if number in names else what


def _dot(names: dict[int, str], number: int) -> str:
    return "●" if number in names else "○"
