"""What commands do to files, from their words alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.inspection.commands import CommandEffect, command_effect
from provchain.shell import parse_command_line

KINDS = {"python", "script", "program", "copy", "move", "author", "edit", "remove", "look", "setup"}


def effects(text: str, cwd: str = "") -> list[CommandEffect]:
    return [command_effect(command) for command in parse_command_line(text, cwd).commands]


def check(text: str, kind: str, **fields: Any) -> None:
    """The first effect of that kind has these fields, and nothing else that touches a file."""
    found = next(effect for effect in effects(text) if effect.kind == kind)
    silent = ("reads", "writes", "appends", "copies", "authored", "removed", "script", "stream_to")
    expected: dict[str, Any] = dict.fromkeys(silent[:6], ()) | {"script": None, "stream_to": None} | fields
    assert {name: getattr(found, name) for name in expected} == expected


# ------------------------------------------------------------------------------------------------------ what runs


@pytest.mark.parametrize(
    ("text", "script", "arguments"),
    [
        ("python a.py --x 1", "a.py", ("--x", "1")),
        ("cd code && python3.11 -u -W ignore -X dev ../run.py", "run.py", ()),
        ("timeout -k 5 60 nohup env A=1 CUDA_VISIBLE_DEVICES=0 nice -n 5 python a.py", "a.py", ()),
        ("time stdbuf -oL /opt/conda/bin/python -m cProfile -o p.out a.py 3", "a.py", ("3",)),
        ("conda run -n env --no-capture-output python a.py", "a.py", ()),
        ("uv run --with numpy a.py 1", "a.py", ("1",)),
        ("accelerate launch --num_processes 2 a.py --lr 1", "a.py", ("--lr", "1")),
        ("torchrun --nproc_per_node=2 a.py", "a.py", ()),
        ("python -m torch.distributed.launch --nproc_per_node 2 a.py --x", "a.py", ("--x",)),
        ("PYTHONPATH=. poetry run python a.py", "a.py", ()),
        ("python < a.py", "a.py", ()),
        ("./code/a.py", "code/a.py", ()),
        ("$PYTHON a.py", "a.py", ()),
        ("sudo -u me xvfb-run -a python a.py", "a.py", ()),
        ("python /abs/a.py", "/abs/a.py", ()),
        ("bash -lc 'python a.py'", "a.py", ()),
        ("for s in 1; do python a.py $s; done", "a.py", ("1",)),
        ("exec python a.py", "a.py", ()),
        ("srun -n 1 python a.py", "a.py", ()),
    ],
)
def test_the_script_is_found_behind_any_wrapper(text: str, script: str, arguments: tuple[str, ...]) -> None:
    check(text, "python", script=script, script_argv=arguments, inline=None, module=None)


@pytest.mark.parametrize(
    ("text", "inline"),
    [
        ("python -c 'print(1)' x", "print(1)"),
        ("python3 - <<'E'\nprint(2)\nE", "print(2)\n"),
        ("python <<< 'print(3)'", "print(3)\n"),
        ("echo 'print(4)' | python -", "print(4)\n"),
        ("python -uc 'print(5)'", "print(5)"),
        ("bash -c \"python - <<'E'\nprint(6)\nE\n\"", "print(6)\n"),
    ],
)
def test_code_given_in_words_is_inline(text: str, inline: str) -> None:
    check(text, "python", inline=inline)


def test_modules_and_other_interpreters() -> None:
    check("python -m pkg.train --x", "python", module="pkg.train", script_argv=("--x",))
    check("bash -x code/run.sh 1", "script", script="code/run.sh", script_argv=("1",))
    check("source run_all.sh", "script", script="run_all.sh")
    check("Rscript --vanilla fit.R 3", "script", script="fit.R", script_argv=("3",))
    check("./run.sh", "script", script="run.sh")
    check("./a.out 1", "program", script="a.out", script_argv=("1",))
    check("make test", "program")


@pytest.mark.parametrize(
    "text",
    [
        "ls -la results",
        "cat log.txt",
        "head -n 5 a.csv",
        "find . -name '*.py'",
        "python --version",
        "python3 -V",
        "pip list",
        "python -m pip show torch",
        "nvidia-smi",
        "which python",
        "git status",
        "echo done",
        "make --version",
        "sed -n '1,200p' a.md",
        "env",
        "du -sh .",
        "command -v python",
    ],
)
def test_looking_leaves_nothing(text: str) -> None:
    assert effects(text) == [CommandEffect("look", argv=parse_command_line(text).commands[0].argv)]


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p a",
        "chmod +x a.sh",
        "export A=1",
        "cd a",
        "source venv/bin/activate",
        "pip install -q numpy",
        "python -m pip install numpy",
        "uv pip install numpy",
        "conda install numpy",
        "apt-get update",
        "git commit -m x",
        "A=1",
        "python -m venv env",
    ],
)
def test_preparing_leaves_no_result(text: str) -> None:
    (found,) = effects(text)
    assert (found.kind, found.writes, found.authored) == ("setup", (), ())


# ---------------------------------------------------------------------------------------------- where output goes


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("python a.py > log", {"writes": ("log",), "stream_to": "log"}),
        ("python a.py >> log 2>&1", {"appends": ("log",), "stream_to": "log"}),
        ("python a.py &> log", {"writes": ("log",), "stream_to": "log"}),
        ("python a.py 2> err", {"writes": ("err",)}),
        ("python a.py > /dev/null 2>&1", {}),
        ("python a.py 2>&1 | tee log", {"writes": ("log",), "stream_to": "log"}),
        ("python a.py | tee -a log | tail -5", {"appends": ("log",), "stream_to": "log"}),
        ("python a.py | grep acc > acc.txt", {"writes": ("acc.txt",)}),
        ("python a.py | tee log | grep x > y", {"writes": ("log", "y"), "stream_to": "log"}),
        ("python a.py > >(tee log) 2>&1", {"writes": ("log",), "stream_to": "log"}),
        ("(cd code; python a.py) | tee log", {"script": "code/a.py", "writes": ("log",), "stream_to": "log"}),
        ("{ python a.py; } > log", {"writes": ("log",), "stream_to": "log"}),
        ("python a.py < in > out", {"reads": ("in",), "writes": ("out",), "stream_to": "out"}),
        ("cd code && python a.py > ../log", {"script": "code/a.py", "writes": ("log",), "stream_to": "log"}),
        ("timeout 9 bash -c 'python a.py > log'", {"writes": ("log",), "stream_to": "log"}),
        ("python a.py | python b.py > out", {}),
    ],
)
def test_files_that_take_the_output_belong_to_the_program(text: str, fields: dict[str, Any]) -> None:
    check(text, "python", **({"script": "a.py"} | fields))


@pytest.mark.parametrize(
    "text", ["python a.py | tee log", "python a.py | sort > f", "python a.py > >(tee log)", "cat a | grep b > c"]
)
def test_what_passes_output_on_writes_nothing_itself(text: str) -> None:
    written = [effect for effect in effects(text) if effect.writes or effect.appends]
    assert len(written) == 1
    assert written[0].argv[0] in ("python", "cat")


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("python a.py", False),
        ("python a.py | tee log", True),
        ("set -o pipefail; python a.py | tee log", False),
        ("python a.py || true", True),
        ("python a.py; ls", True),
        ("python a.py && ls", False),
        ("python a.py &", True),
    ],
)
def test_whether_a_failure_can_hide(text: str, hidden: bool) -> None:
    found = next(effect for effect in effects(text) if effect.kind == "python")
    assert found.hides_status is hidden


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("grep -v -A 2 foo a.log > b", ("a.log",), ("b",)),
        ("jq '.x' a.json > b", ("a.json",), ("b",)),
        ("cat a b > c", ("a", "b"), ("c",)),
        ("sort -u a -o b", ("a",), ("b",)),
        ("cat a | head -1 | sort > c", ("a",), ("c",)),
        ("awk -F, '{print $1}' a > b", ("a",), ("b",)),
        ("wc -l < a > b", ("a",), ("b",)),
        ("sed -e 's/a/b/' a > b", ("a",), ("b",)),
        ("python -m json.tool a b", ("a",), ("b",)),
        ("cat a | cat - b > c", ("a", "b"), ("c",)),
    ],
)
def test_filters_read_what_they_name(text: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> None:
    found = effects(text)[0]
    assert (found.kind, found.reads, found.writes) == ("look", reads, writes)


# ---------------------------------------------------------------------------------------------------------- typing


@pytest.mark.parametrize(
    ("text", "authored", "approximate"),
    [
        ("echo '{\"a\": 0.9}' > r.json", (("r.json", '{"a": 0.9}\n', False),), False),
        ("echo -n a >> d/f", (("d/f", "a", True),), False),
        ("cd d; printf '%s=%d\\n' a 1 b 2 > f", (("d/f", "a=1\nb=2\n", False),), False),
        ("cat > f <<'E'\nx $y\nE", (("f", "x $y\n", False),), True),
        ("cat <<'E' > f\nx\nE", (("f", "x\n", False),), False),
        ("cat <<'E' | tee a -a b\nx\nE", (("a", "x\n", True), ("b", "x\n", True)), False),
        ("tee a <<< x", (("a", "x\n", False),), False),
        ("echo '{\"a\": 0.9}' | tee r.json", (("r.json", '{"a": 0.9}\n', False),), False),
        ("echo '{\"a\": 0.9}' | jq . > r.json", (("r.json", '{"a": 0.9}\n', False),), True),
        ("jq . <<< 0.9 > f", (("f", "0.9\n", False),), True),
        ("awk 'BEGIN {print 0.95}' > f", (("f", "BEGIN {print 0.95}", False),), True),
        ("jq -n '{a: 0.9}' > f", (("f", "-n {a: 0.9}", False),), True),
        ("bash -lc \"cat > r.json <<'E'\n0.9\nE\n\"", (("r.json", "0.9\n", False),), False),
        ('eval "echo 0.9 > f"', (("f", "0.9\n", False),), False),
        ('echo "accuracy 0.9 at $(date)" > f', (("f", "accuracy 0.9 at $(date)\n", False),), True),
        ("touch f", (("f", "", True),), False),
        ("> f", (("f", "", False),), False),
        (": > f", (("f", "", False),), False),
        ("cp /dev/null f", (("f", "", False),), False),
        ("truncate -s 0 f", (("f", "", False),), False),
    ],
)
def test_typed_text_is_authored_however_it_gets_into_the_file(
    text: str, authored: tuple[tuple[str, str, bool], ...], approximate: bool
) -> None:
    found = next(effect for effect in effects(text) if effect.kind == "author")
    assert (found.authored, found.writes, found.appends) == (authored, (), ())
    if "$" not in text or approximate:
        assert found.approximate is approximate


def test_what_a_program_answers_is_not_typed() -> None:
    inner, outer = effects('echo "accuracy: $(python eval.py)" > f')
    assert (inner.kind, inner.script) == ("python", "eval.py")
    assert (outer.kind, outer.writes) == ("look", ("f",))


@given(st.text(alphabet='abc 0.9{}":,\n%-', min_size=1, max_size=40))
@settings(deadline=None)
def test_any_text_in_a_quoted_here_document_is_authored_as_it_stands(body: str) -> None:
    (found,) = effects(f"cat > f <<'END'\n{body}\nEND\n")
    assert found.authored == (("f", body + "\n", False),)
    assert not found.approximate


# ------------------------------------------------------------------------------------ copies, changes and removals


@pytest.mark.parametrize(
    ("text", "kind", "copies"),
    [
        ("cp a.txt b.txt", "copy", (("a.txt", "b.txt"),)),
        ("cp a b c/", "copy", (("a", "c/"), ("b", "c/"))),
        ("cd x && cp -r r/figs ../out/", "copy", (("x/r/figs/**", "out/"),)),
        ("cp r/*.png figs", "copy", (("r/*.png", "figs/"),)),
        ("cp -a src/. dst", "copy", (("src/", "dst"),)),
        ("cp -t out a b", "copy", (("a", "out/"), ("b", "out/"))),
        ("cp a.md{,.bak}", "copy", (("a.md", "a.md.bak"),)),
        ("cp a .", "copy", (("a", "./"),)),
        ("cat a > b", "copy", (("a", "b"),)),
        ("dd if=a of=b", "copy", (("a", "b"),)),
        ("rsync -av src/ dst/", "copy", (("src/", "dst/"),)),
        ("rsync -av --exclude '*.pyc' src dst", "copy", (("src/**", "dst"),)),
        ("ln -s ../data d/data", "copy", (("data", "d/data"),)),
        ("install -m 644 a b", "copy", (("a", "b"),)),
        ("mv a.json results/", "move", (("a.json", "results/"),)),
        ("mv d/{a,b} r/", "move", (("d/a", "r/"), ("d/b", "r/"))),
        ("git mv a b", "move", (("a", "b"),)),
        ("find r -name '*.json' -exec cp {} out/ \\;", "copy", (("r/**/*.json", "out/"),)),
    ],
)
def test_copies(text: str, kind: str, copies: tuple[tuple[str, str], ...]) -> None:
    check(text, kind, copies=copies)


def test_edits_and_removals() -> None:
    check("sed -i 's/0.8/0.9/' r.md s.md", "edit", reads=("r.md", "s.md"), writes=("r.md", "s.md"))
    check("sed -i.bak -e 's/a/b/' r.md", "edit", reads=("r.md",), writes=("r.md",))
    check("perl -pi -e 's/a/b/' r.md", "edit", reads=("r.md",), writes=("r.md",))
    check("rm -f a b/*.png", "remove", removed=("a", "b/*.png"))
    check("rm -rf d", "remove", removed=("d", "d/**"))
    check("find d -name '*.json' -delete", "remove", removed=("d/**/*.json",))


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("wget https://x.org/d/a.zip -P data", (), ("data/a.zip",)),
        ("wget -q -O data/b.zip https://x.org/a.zip", (), ("data/b.zip",)),
        ("curl -sSL https://x.org/a -o data/a.csv", (), ("data/a.csv",)),
        ("curl -O https://x.org/a.csv?x=1", (), ("a.csv",)),
        ("tar -czf o.tgz results", ("results",), ("o.tgz",)),
        ("tar xzf o.tgz", ("o.tgz",), ()),
        ("gzip a.txt", ("a.txt",), ("a.txt.gz",)),
        ("gcc -O2 a.c -o a.out", (), ("a.out",)),
        ("pandoc p.md -o p.pdf", ("p.md",), ("p.pdf",)),
        ("pdflatex paper", ("paper.tex",), ("paper.pdf",)),
        ("convert a.png b.jpg", ("a.png",), ("b.jpg",)),
    ],
)
def test_programs_whose_words_name_their_files(text: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> None:
    check(text, "program", reads=reads, writes=writes)


# --------------------------------------------------------------------------------------------------------- anything


@given(
    st.lists(
        st.sampled_from(
            [
                "python",
                "a.py",
                "-c",
                "-m",
                "cp",
                "mv",
                "rm",
                "sed",
                "-i",
                "tee",
                "cat",
                ">",
                "<",
                "<<",
                "|",
                "&&",
                ";",
                "echo",
                "$X",
                "timeout",
                "find",
                "-exec",
                "-o",
                "tar",
                "xf",
                "''",
                "-",
                "--",
                "bash",
                "curl",
                "-t",
                "-e",
                "E\n",
                "touch",
                "ln",
                "git",
                "jq",
                "awk",
                "nohup",
                "xargs",
                "{a,b}",
                "(",
                ")",
                "&",
                "dd",
                "if=x",
                "of=y",
                "printf",
                "%s%d",
                "head",
                "-n",
            ]
        ),
        max_size=12,
    )
)
@settings(max_examples=500, deadline=None)
def test_any_words_have_an_effect(words: list[str]) -> None:
    for effect in effects(" ".join(words), "/w"):
        assert effect.kind in KINDS
        touched = [*effect.reads, *effect.writes, *effect.appends, *(path for path, _, _ in effect.authored)]
        assert all(path.startswith(("/", "$", "~", "`")) for path in touched)
        assert not any(path.startswith("/dev/") for path in (*effect.writes, *effect.appends))
