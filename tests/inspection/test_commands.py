"""What commands do to files, from their words alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.inspection.commands import CommandEffect, command_effect, substituted
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
    (found,) = effects(text)
    assert found == CommandEffect("look", argv=parse_command_line(text).commands[0].argv, shown=found.shown)


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


# ------------------------------------------------------------------------------------------- what an output repeats


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cat a.json b/*.json", ("a.json", "b/*.json")),
        ("cd d && jq . a.json", ("d/a.json",)),
        ("jq . < a.json", ("a.json",)),
        ("jq --arg k v '.x' a.json", ("a.json",)),
        ("jq -n --slurpfile a a.json '$a'", ("a.json",)),
        ("yq a.yaml", ("a.yaml",)),
        ("python -m json.tool a.json", ("a.json",)),
        ("python -m gzip -d a.gz", ("a.gz",)),
        ("grep -r acc results", ("results", "results/**")),
        ("grep -rn acc .", ("**",)),
        ("grep acc a.log", ("a.log",)),
        ("rg acc", ("**",)),
        ("diff a b", ("a", "b")),
        ("column -t -s, a.csv", ("a.csv",)),
        ("csvlook a.csv", ("a.csv",)),
        ("bat -p a.json", ("a.json",)),
        ("xxd a", ("a",)),
        ("git diff", ("**",)),
        ("git --no-pager log -p", ("**",)),
        ("git log --oneline", ()),
        ("git status", ()),
        ("git show HEAD~1:r/m.json", ("r/m.json",)),
        ("git diff main -- r.md d", ("r.md", "d", "d/**")),
        ("prettier paper.md", ("paper.md",)),
        ("perl -ne 'print' a.json", ("a.json",)),
        ("cat $F out/$N.json", ("**", "out/*.json")),
        ("x=$(< a.json)", ("a.json",)),
        ("ls results", ()),
        ("echo 0.9", ()),
        ("python train.py --help", ()),
    ],
)
def test_a_look_names_the_files_whose_content_it_repeats(text: str, shown: tuple[str, ...]) -> None:
    found = next(effect for effect in effects(text) if effect.kind == "look")
    assert (found.shown, found.writes) == (shown, ())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("find r -name '*.json' | xargs cat", [(), ("**",)]),
        ("find r -name '*.json' -exec cat {} +", [("r/**/*.json",)]),
        ("cat a.json | jq .", [("a.json",), ()]),
        ("head -1 a | cat - b", [("a", "b"), ("b",)]),
        ('while read -r l; do echo "$l"; done < a.txt', [(), ("a.txt",)]),
        ("cat a > b", [("a",)]),
        ("pandoc draft.txt -o paper.md", [("draft.txt",)]),
        ("gunzip -c a.gz", [("a.gz",)]),
        ("python a.py | tail -1", [(), ()]),
    ],
)
def test_each_command_of_a_pipeline_names_its_own_files(text: str, shown: list[tuple[str, ...]]) -> None:
    assert [effect.shown for effect in effects(text)] == shown


@pytest.mark.parametrize(
    "text",
    [
        "cat a.json > b",
        "jq . a.json > b",
        "head a.json | tee b",
        "sort a.json -o b",
        "xxd a.json b",
        "csvcut a.json > b",
    ],
)
def test_what_a_look_leaves_repeats_what_it_shows(text: str) -> None:
    found = effects(text)[0]
    targets = found.writes or tuple(target for _, target in found.copies)
    assert (found.shown, targets) == (("a.json",), ("b",))


# ------------------------------------------------------------------------------------------- what programs may read


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("./simulate config.json", ("config.json",), ()),
        ("./simulate --conf=c.toml --out r.json -n 0.5", ("c.toml",), ("r.json",)),
        ("cd d && sqlite3 r.db 'select 1'", ("d/r.db",), ()),
        ("gcc a.c -o a.out", (), ("a.out",)),
        ("mytool --log run.log --results r.json in.csv", ("in.csv",), ()),
        ("node -e 'code' a.json", ("a.json",), ()),
        ("make train", (), ()),
    ],
)
def test_a_program_may_read_the_files_that_its_words_name(
    text: str, reads: tuple[str, ...], writes: tuple[str, ...]
) -> None:
    found = next(effect for effect in effects(text) if effect.kind == "program")
    assert (found.reads, found.writes) == (reads, writes)


@pytest.mark.parametrize("text", ["Rscript show.R a.json", "node show.js a.json", "perl show.pl a.json"])
def test_scripts_that_nobody_looks_into_may_read_their_arguments(text: str) -> None:
    assert effects(text)[0].reads == ("a.json",)


# ------------------------------------------------------------------------------------------------ changes in place


@pytest.mark.parametrize(
    "text",
    [
        "prettier --write r.md",
        "npx -y prettier@3 -w r.md",
        "black r.md",
        "python -m black -q r.md",
        "isort --profile black r.md",
        "ruff format r.md",
        "autopep8 -i r.md",
        "yapf --in-place r.md",
        "clang-format -i r.md",
        "gofmt -w r.md",
        "dos2unix r.md",
        "jq . r.md | sponge r.md",
        "sort -o r.md r.md",
        "python -m json.tool r.md r.md",
        "yq -i '.a = 1' r.md",
        "awk -i inplace '{print}' r.md",
        "perl -0777 -w -i.bak -pe 's/a/b/' r.md",
        "ruby -pi -e 'code' r.md",
        "patch r.md < a.patch",
        "patch r.md a.patch",
        "ex -s r.md <<'E'\n%s/a/b/\nwq\nE",
        "ex -sc '%s/a/b/|x' r.md",
        "vim -c '%s/a/b/' -c wq -es r.md",
        "git checkout -- r.md",
        "git checkout HEAD~1 r.md",
        "git restore -s HEAD~1 r.md",
        "patch -p1 <<'E'\n--- a/r.md\n+++ b/r.md\n@@ -1 +1 @@\n-0.8\n+0.9\nE",
        "git apply <<'E'\n--- a/r.md\n+++ b/r.md\n@@ -1 +1 @@\n-0.8\n+0.9\nE",
    ],
)
def test_what_is_changed_in_place_is_an_edit(text: str) -> None:
    (found, *rest) = effects(text)
    assert (found.kind, found.reads, found.writes, found.edits_unknown) == ("edit", ("r.md",), ("r.md",), False)
    assert all(effect.kind == "look" for effect in rest)


@pytest.mark.parametrize(
    ("text", "writes"),
    [
        ("black src", ("src/**/*.py", "src/**/*.pyi")),
        ("git checkout -- .", ("**",)),
        ("git restore d", ("d", "d/**")),
        ("find r -name '*.md' -exec sed -i s/a/b/ {} +", ("r/**/*.md",)),
    ],
)
def test_an_edit_of_a_folder_names_what_can_change_in_it(text: str, writes: tuple[str, ...]) -> None:
    check(text, "edit", reads=writes, writes=writes)


@pytest.mark.parametrize(
    "text",
    [
        "patch -p1 < a.patch",
        "git apply a.patch",
        "git stash pop",
        "git checkout main",
        "git reset --hard HEAD~1",
        "git pull",
        "ls | xargs sed -i s/a/b/",
    ],
)
def test_an_edit_whose_files_cannot_be_known_says_so(text: str) -> None:
    found = effects(text)[-1]
    assert (found.kind, found.writes, found.edits_unknown) == ("edit", (), True)


@pytest.mark.parametrize(
    "text",
    [
        "black --check a.py",
        "patch --dry-run -p1 < a",
        "git apply --stat a",
        "prettier --version",
        "ruff check --diff a.py",
    ],
)
def test_an_editor_that_is_told_to_show_changes_nothing(text: str) -> None:
    (found,) = effects(text)
    assert (found.kind, found.writes, found.edits_unknown) == ("look", (), False)


@pytest.mark.parametrize("text", ["git stash list", "git checkout -b x", "git restore --staged a", "git reset a"])
def test_git_that_leaves_the_files_alone_prepares(text: str) -> None:
    assert [effect.kind for effect in effects(text)] == ["setup"]


PATCH = """*** Begin Patch
*** Add File: r/new.json
+{"acc": 0.9}
+
*** Update File: a.py
*** Move to: b.py
@@
-x = 1
+x = 2
*** Delete File: old.md
*** End Patch"""


@pytest.mark.parametrize("text", [f"apply_patch <<'E'\n{PATCH}\nE", f"apply_patch '{PATCH}'"])
def test_a_patch_given_as_text_tells_its_files_and_what_it_types(text: str) -> None:
    (found,) = effects(f"cd d\n{text}")[1:]
    assert (found.kind, found.writes, found.removed) == ("edit", ("d/b.py",), ("d/a.py", "d/old.md"))
    assert found.authored == (("d/r/new.json", '{"acc": 0.9}\n\n', False),)
    assert (found.approximate, found.edits_unknown) == (False, False)


def test_a_diff_that_makes_a_file_types_it() -> None:
    (found,) = effects("git apply <<'E'\n--- /dev/null\n+++ b/r.json\n@@ -0,0 +1 @@\n+0.9\nE")
    assert (found.kind, found.authored, found.writes) == ("edit", (("r.json", "0.9\n", False),), ())


def test_lines_typed_into_ed_are_authored() -> None:
    (found,) = effects("ed -s r.json <<'E'\na\n0.9\n.\nw\nq\nE")
    assert (found.kind, found.authored, found.approximate) == ("edit", (("r.json", "0.9\n", False),), True)


# ---------------------------------------------------------------------------------------------- asking a script


@pytest.mark.parametrize(
    "text",
    [
        "python train.py --help",
        "timeout 9 python train.py --lr 1 -h",
        "python train.py --version",
        "python train.py --lr 1 --dry-run",
        "bash train.py --help",
        "./train.py -h",
        "torchrun train.py --help",
    ],
)
def test_a_script_that_is_asked_for_its_usage_does_nothing(text: str) -> None:
    check(text, "look", script="train.py")


@pytest.mark.parametrize("text", ["python train.py -h 128", "python train.py --version 2", "python -c 'code' --help"])
def test_options_that_take_a_value_do_not_ask(text: str) -> None:
    assert effects(text)[0].kind == "python"


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


# --------------------------------------------------------------------------------------------------- substitutions

TEXT = "a = 1\nlr = 0.1  # rate\nb = a/2\n"


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("s/a/x/", "x = 1\nlr = 0.1  # rxte\nb = x/2\n"),
        ("s/a/x/g;s|x/2|x/3|", "x = 1\nlr = 0.1  # rxte\nb = x/3\n"),
        ("s/0\\.1.*/[&]/", "a = 1\nlr = [0.1  # rate]\nb = a/2\n"),
        ("1d;$d", "lr = 0.1  # rate\n"),
        ("/^lr/s/[0-9.]*$/x/;/^lr/d", "a = 1\nb = a/2\n"),
        ("2,3s/= /== /", "a = 1\nlr == 0.1  # rate\nb == a/2\n"),
        ("s/nowhere/x/", TEXT),
        ("s/\\(a\\)/\\1\\1/", None),  # groups
        ("s/a*b*/x/", None),  # repeats twice
        ("s/a/x/I", None),
        ("2i import os", None),
        ("s/a/x", None),
    ],
)
def test_what_a_plain_substitution_leaves_is_known(script: str, left: str | None) -> None:
    assert substituted(("sed", "-i", script, "a.py"), TEXT) == left
    assert substituted(("sed", "-i", "-e", script, "a.py"), TEXT) == left


def test_a_plain_substitution_of_perl_is_one_of_sed() -> None:
    left = "a = 1\nlr = 7\nb = c/2\n"
    assert substituted(("perl", "-pi", "-e", "s/0\\.1.*$/7/; s|a/2|c/2|g", "a.py"), TEXT) == left
    assert substituted(("perl", "-i.bak", "-pe", "s/a = 1/a = 2/", "a.py"), TEXT) == TEXT.replace("a = 1", "a = 2")
    assert substituted(("perl", "-ne", "s/a/x/", "a.py"), TEXT) is None


def test_a_program_other_than_sed_or_an_unknown_option_leaves_nothing_known() -> None:
    assert substituted(("ruby", "-pi", "-e", "s/a/x/", "a.py"), TEXT) is None
    for script in ("s/a/$x/", "s/$a/x/", "s/a/&/", "s/(a)/x/", "y/a/b/", "1d", "s/a/x/e"):
        assert substituted(("perl", "-pi", "-e", script, "a.py"), TEXT) is None
    assert substituted(("sed", "-i", "-n", "s/a/x/p", "a.py"), TEXT) is None
    assert substituted(("sed", "-i", "s/x*y/z/", "a.py"), "x" * 10_000) is None
