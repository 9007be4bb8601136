"""Files of pictures by their bytes: which kind one is, and whether it ends before its picture does."""

import re

JPEG, PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
TIFF_LITTLE, TIFF_BIG = b"II*\0", b"MM\0*"
BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)  # bytes of the header that follows the file's own, in all its versions
HEIC = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")  # brands of the container
# marks of segments, and of the end: neither the stuffed bytes of coded data, nor the restarts between them
_SEGMENT = re.compile(rb"\xff+([\xc0-\xcf\xd9-\xef\xfe])")
_END = b"\xd9"


def is_picture(data: bytes) -> bool:
    """True if the file begins as a JPEG, PNG, WebP, BMP or TIFF does."""
    return data.startswith((JPEG, PNG, TIFF_LITTLE, TIFF_BIG)) or _is_webp(data) or _is_bmp(data)


def is_heic(data: bytes) -> bool:
    """True for what many telephones save instead of a JPEG."""
    return data[4:8] == b"ftyp" and data[8:12] in HEIC


def is_cut_off(data: bytes) -> bool:
    """True if the file ends before its picture; what may stand behind a picture's end counts for nothing."""
    if data.startswith(JPEG):
        return jpeg_end(data) is None
    if data.startswith(PNG):
        return not _png_ends(data)
    if _is_webp(data):
        return 8 + int.from_bytes(data[4:8], "little") > len(data)
    if _is_bmp(data):
        return int.from_bytes(data[2:6], "little") > len(data)
    if data.startswith((TIFF_LITTLE, TIFF_BIG)):  # most have their directory at the end
        return int.from_bytes(data[4:8], "little" if data.startswith(TIFF_LITTLE) else "big") >= len(data)
    return False


def _is_webp(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def _is_bmp(data: bytes) -> bool:
    return data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in BMP_HEADERS


def jpeg_end(data: bytes) -> int | None:
    """Where a JPEG's end stands, beyond all segments: a small picture within one of them has an end of its own."""
    at = len(JPEG)
    while mark := _SEGMENT.search(data, at):
        if mark[1] == _END:
            return mark.start()
        at = mark.end() + int.from_bytes(data[mark.end() : mark.end() + 2], "big")
    return None


def _png_ends(data: bytes) -> bool:
    at = len(PNG)
    while at + 12 <= len(data):  # of a chunk without content: its length, its name and its checksum
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False
