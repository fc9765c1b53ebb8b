"""What a few lines of Python make of a script that they mend; anything else in them leaves it unknown."""

from __future__ import annotations

import pytest

from provchain.inspection.rewriting import rewritten

TEXT = "n = 900\nfit(n)\n"
LEFT = "n = 9\nfit(n)\n"

UNDERSTOOD = {
    "open": "p = 'a.py'; s = open(p).read()\ns = s.replace('n = 900', 'n = 9')\nopen(p, 'w').write(s)",
    "with": "with open('a.py') as f:\n    s = f.read()\nwith open('a.py', 'w') as f:\n    f.write(s.replace('900', '9'))",
    "pathlib": "from pathlib import Path\np = Path('a.py')\np.write_text(p.read_text().replace('900', '9', 1))\nprint('done')",
    "chain": "s = open('a.py').read()\nassert 'n' in s\nopen('a.py', mode='w').write(s.replace('900', '90').replace('90', '9'))",
}


@pytest.mark.parametrize("program", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_literal_replacements(program: str) -> None:
    assert rewritten(program, TEXT, "a.py".__eq__) == LEFT


@pytest.mark.parametrize(
    "program",
    [
        "import re\ns = open('a.py').read()\nopen('a.py', 'w').write(re.sub('900', '9', s))",
        "s = open('a.py').read()\nif x:\n    s = s.replace('900', '9')\nopen('a.py', 'w').write(s)",
        "s = open('b.py').read()\nopen('a.py', 'w').write(s)",
        "s = open('a.py').read()\nopen('b.py', 'w').write(s)",
        "s = open('a.py').read().replace(old, '9')\nopen('a.py', 'w').write(s)",
        "s = open('a.py').read()\nopen('a.py', 'a').write(s)",
        "s = open('a.py').read()\nrun(s)\nopen('a.py', 'w').write(s)",
        "s = open('a.py').read()",
        "open('a.py', 'w').write(",
        "",
    ],
)
def test_anything_else_is_not_known(program: str) -> None:
    assert rewritten(program, TEXT, "a.py".__eq__) is None


def test_a_text_that_would_grow_without_end_is_not_made() -> None:
    grown = "s = open('a.py').read()" + ".replace('a', 'a' 'aaaaaaaaaaaaaaaa')" * 30 + "\nopen('a.py', 'w').write(s)"
    assert rewritten(grown, "a" * 1000, "a.py".__eq__) is None
