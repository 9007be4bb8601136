"""A recorded game as one HTML file: its boards as SVG, stepped through by a slider. No outside resource."""

from collections.abc import Mapping
from html import escape
from typing import Any

from companion.events import BeamPath
from companion.referee.snapshot import PieceView, Snapshot

CELL = 40
_FILLS = {"silver": "#c9ced6", "red": "#c43c3c", "gold": "#d8a93a", "orange": "#e8872e", "blue": "#3a6fd0"}
_FILLS |= {"green": "#3d9a55", "purple": "#8450b8", "white": "#f6f6f6", "black": "#333333"}
_TURNED = {"N": 0, "NE": 0, "E": 90, "SE": 90, "S": 180, "SW": 180, "W": 270, "NW": 270, "/": 0, "\\": 90}


def replay_page(snapshot: Snapshot, line: Mapping[str, Any]) -> str:
    """The page."""
    boards = [_board(snapshot, ply.pieces, ply.beams) for ply in snapshot.record] or [
        _board(snapshot, snapshot.pieces, snapshot.beams)
    ]
    texts = [f"{ply.number}. {ply.text}" for ply in snapshot.record] or ["No ply was played."]
    figures = "\n".join(
        f"<figure{'' if i == len(boards) - 1 else ' hidden'}>{board}<figcaption>{escape(text)}</figcaption></figure>"
        for i, (board, text) in enumerate(zip(boards, texts, strict=True))
    )
    title = escape(f"{line.get('title') or 'Game'} {line.get('id', '')}")
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body{{font:1rem system-ui;max-width:46rem;margin:1rem auto;padding:0 1rem}}svg{{width:100%;height:auto}}
input{{width:100%}}figure{{margin:0}}figcaption{{padding:.5rem 0;min-height:3em}}</style></head>
<body><h1>{title}</h1><p>{escape(str(line.get("started", "")))} {escape(str(line.get("result", "")))}</p>
<label>Ply <input type="range" min="1" max="{len(boards)}" value="{len(boards)}" id="ply"></label>
{figures}
<script>
const all = document.querySelectorAll("figure"), ply = document.getElementById("ply");
ply.addEventListener("input", () => all.forEach((f, i) => f.hidden = i !== ply.value - 1));
</script></body></html>
"""


def _board(snapshot: Snapshot, pieces: tuple[PieceView, ...], beams: tuple[BeamPath, ...]) -> str:
    cols, rows = max(snapshot.board.cols, 1), max(snapshot.board.rows, 1)
    width, height = cols * CELL, rows * CELL
    parts = [f'<rect width="{width}" height="{height}" fill="#efe7d4"/>']
    for col in range(cols + 1):
        parts.append(f'<path d="M{col * CELL} 0V{height}" stroke="#b9ad92"/>')
    for row in range(rows + 1):
        parts.append(f'<path d="M0 {row * CELL}H{width}" stroke="#b9ad92"/>')
    parts += [_piece(p, rows) for p in pieces if p.cell is not None]
    parts += [_beam(b, rows) for b in beams if b.unit == "cell"]
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="board">{"".join(parts)}</svg>'


def _piece(piece: PieceView, rows: int) -> str:
    assert piece.cell is not None
    x = (ord(piece.cell[0]) - ord("a")) * CELL + CELL / 2
    y = (rows - int(piece.cell[1:])) * CELL + CELL / 2
    fill, turned = _FILLS.get(piece.colour or "", "#888"), _TURNED.get(piece.facing or "", 0)
    shape = {
        "pyramid": '<path d="M-14-14L14 14H-14Z"/><path d="M-14-14L14 14" stroke="#fff" stroke-width="3"/>',
        "scarab": '<path d="M-14 14L14-14" stroke="currentColor" stroke-width="7"/>',
        "eye": '<path d="M-14 14L14-14" stroke="currentColor" stroke-width="7" stroke-dasharray="6 4"/>',
        "anubis": '<rect x="-11" y="-11" width="22" height="22"/><path d="M-13-13H13" stroke="#222" stroke-width="5"/>',
        "sphinx": '<circle r="13"/><path d="M0 0V-15" stroke="#222" stroke-width="4"/>',
        "pharaoh": '<circle r="14"/><path d="M-5 0H5M0-5V5" stroke="#222" stroke-width="3"/>',
        "obelisk": '<rect x="-9" y="-9" width="18" height="18"/>',
        "disc": '<circle r="15" stroke="#222"/>',
    }.get(piece.kind, '<circle r="12"/>')
    return (
        f'<g transform="translate({x} {y}) rotate({turned})" fill="{fill}" color="{fill}">'
        f"<title>{escape(piece.words)}</title>{shape}</g>"
    )


def _beam(beam: BeamPath, rows: int) -> str:
    points = " ".join(f"{(x + 0.5) * CELL:.1f},{(rows - 0.5 - y) * CELL:.1f}" for x, y in beam.points)
    return f'<polyline points="{points}" fill="none" stroke="#e3342f" stroke-width="3" opacity=".8"/>'
