"""python -m icount: the command line of icount."""

from __future__ import annotations

import os
import sys

from icount.program import find_program


def main() -> None:
    try:
        program = find_program()
    except OSError as error:
        sys.exit(f"icount: {error}")
    os.execv(program, [program, *sys.argv[1:]])


main()
