"""tests/testdata/pairs/profiles.tar.xz: the profiles of the kept pairs, which share so much that together they take a fifth of what each takes alone.

FOLDER/PAIR/{base,head,cause.json} and others; the build unpacks it into build/tests/profiles. Of results, call graphs are packed one by one (zstd, in base64): they
are put in unpacked, as zstd frames that only copy, so that the archive can pack what they share. icount reads them as they are.
"""
import base64, io, json, lzma, pathlib, struct, subprocess, tarfile

ARCHIVE = pathlib.Path(__file__).resolve().parents[2] / "tests/testdata/pairs/profiles.tar.xz"
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 26, "lc": 4, "pb": 0}]
ZSTD = b"\x28\xb5\x2f\xfd"


def copying_frame(data):
    """A zstd frame (RFC 8878): its content's size, then blocks that are copied."""
    frame = ZSTD + bytes([0b11100000]) + struct.pack("<Q", len(data))
    for start in range(0, max(1, len(data)), 1 << 17):
        block = data[start:start + (1 << 17)]
        frame += struct.pack("<I", len(block) << 3 | (start + len(block) == len(data)))[:3] + block
    return frame


def unpack_blob(text):
    blob = base64.b64decode(text)
    if not blob.startswith(ZSTD):
        return text
    return base64.b64encode(copying_frame(subprocess.run(["zstd", "-dcq"], input=blob, capture_output=True, check=True).stdout)).decode()


def with_plain_graphs(result):
    """The lines of a result file, its graphs in frames that only copy."""

    def plain(value):
        if isinstance(value, list):
            return [plain(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {key: unpack_blob(one) if key in ("graph", "python_calls", "stacks") and isinstance(one, str) else plain(one) for key, one in value.items()}

    lines = [json.dumps(plain(json.loads(line)), separators=(",", ":"), ensure_ascii=False) for line in result.splitlines()]
    return "\n".join(lines) + "\n"


def unpack(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder)


def pack(folder):
    """Everything in the folder, byte for byte the same for the same files."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            data = path.read_bytes()
            if data.startswith(b'{"schema"'):
                data = with_plain_graphs(data.decode()).encode()
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    ARCHIVE.write_bytes(lzma.compress(plain.getvalue(), filters=FILTERS))
