"""Measure the data file of the examples: fragments of four kinds of files, each described by six numbers.

Run once, by hand, with Python 3.11; its output is kept as `fragments.csv` so that the examples do not depend on the
Python that regenerates them.

    python measure_fragments.py > fragments.csv
"""

import math
import random
import string
import sysconfig
from collections import Counter
from pathlib import Path

SIZE = 96
PER_KIND = 40
STDLIB = Path(sysconfig.get_path("stdlib"))
HEADERS = Path(sysconfig.get_path("include"))
KINDS = {
    "python": sorted(STDLIB.glob("[a-m]*.py")),
    "header": sorted(HEADERS.glob("*.h")),
    "prose": [STDLIB / "LICENSE.txt", *sorted(STDLIB.glob("idlelib/*.txt")), *sorted(STDLIB.glob("lib2to3/*.txt"))],
    "bytecode": sorted(STDLIB.glob("__pycache__/[a-m]*.cpython-*.pyc")),
}
GROUPS = {
    "letters": string.ascii_letters.encode(),
    "digits": string.digits.encode(),
    "spaces": b" \t\r\n",
    "marks": string.punctuation.encode(),
}


def measure(fragment: bytes) -> list[str]:
    """Describe a fragment by shares of bytes and its entropy in bits per byte."""
    counts = Counter(fragment)
    shares = [sum(counts[byte] for byte in group) / SIZE for group in GROUPS.values()]
    other = 1 - sum(shares)
    entropy = -sum(n / SIZE * math.log2(n / SIZE) for n in counts.values())
    return [f"{number:.4f}" for number in (*shares, abs(other), entropy)]


def main() -> None:
    """Write the table to standard output."""
    chance = random.Random(2024)
    print("letters,digits,spaces,marks,other,entropy,kind")
    for kind, files in KINDS.items():
        for _ in range(PER_KIND):
            content = b""
            while len(content) <= SIZE:
                content = chance.choice([path for path in files if path.is_file()]).read_bytes()
            start = chance.randrange(len(content) - SIZE)
            print(",".join([*measure(content[start : start + SIZE]), kind]))


if __name__ == "__main__":
    main()
