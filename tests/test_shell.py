"""What a command text says, taken apart without running it."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.shell import Command, Redirect, expand_braces, join_path, parse_command_line


def commands(text: str, cwd: str = "") -> tuple[Command, ...]:
    return parse_command_line(text, cwd).commands


def words(text: str) -> list[tuple[str, ...]]:
    return [command.argv for command in commands(text)]


# ------------------------------------------------------------------------------------------------- words and quotes


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("python 'a b.py' \"c d\" e\\ f", ["python", "a b.py", "c d", "e f"]),
        ("echo $'a\\tb\\x41\\'' \"\" ''", ["echo", "a\tbA'", "", ""]),
        ('python x.py --out="$OUT/a" $B ${C}', ["python", "x.py", "--out=$OUT/a", "$B", "${C}"]),
        ("ls *.py a?b [x]", ["ls", "*.py", "a?b", "[x]"]),
        (
            "mkdir -p x/{a,b{1,2}} {1..3} {a..c} {07..09}",
            ["mkdir", "-p", "x/a", "x/b1", "x/b2", "1", "2", "3", "a", "b", "c", "07", "08", "09"],
        ),
        ("echo '{a,b}' \"{c,d}\" \\{e,f}", ["echo", "{a,b}", "{c,d}", "{e,f}"]),
        ("python x.py \\\n   --a 1 # why\n", ["python", "x.py", "--a", "1"]),
        ("echo a#b", ["echo", "a#b"]),
        ("python > log.txt x.py 1", ["python", "x.py", "1"]),
        ('echo "it\'s" \'say "x"\'', ["echo", "it's", 'say "x"']),
        ("test a == b", ["test", "a", "==", "b"]),
        ("[[ -f x && y ]]", ["[[", "-f", "x", "&&", "y", "]]"]),
        ("echo $(ls a) `ls b`", ["echo", "$(ls a)", "`ls b`"]),
        ('echo "unterminated', ["echo", "unterminated"]),
    ],
)
def test_words_are_what_the_program_would_see(text: str, argv: list[str]) -> None:
    assert list(commands(text)[-1].argv) == argv


@given(st.lists(st.text(min_size=1).filter(lambda word: "\0" not in word), min_size=1, max_size=5))
def test_quoted_words_come_back_whatever_they_hold(argv: list[str]) -> None:
    argv = ["prog", *(word.encode("utf-8", "replace").decode() for word in argv)]
    assert commands(" ".join([argv[0], *map(shlex.quote, argv[1:])]))[0].argv == tuple(argv)


def test_too_many_braces_stay_as_written() -> None:
    assert expand_braces("{1..2000}") == ["{1..2000}"]
    assert expand_braces("{a,b}" * 7) == ["{a,b}" * 7]
    assert len(expand_braces("{a,b}" * 6)) == 64
    assert expand_braces("${a,b}") == ["${a,b}"]


# ------------------------------------------------------------------------------------------------------ variables


def test_known_variables_are_filled_in_and_unknown_ones_stay() -> None:
    line = commands("OUT=res; ARGS='--a 1 --b'; export N=3\npython x.py $ARGS \"$ARGS\" $OUT/$N ${X:-d} ${Y} ${OUT%s}")
    assert line[-1].argv == ("python", "x.py", "--a", "1", "--b", "--a 1 --b", "res/3", "d", "${Y}", "re")
    assert commands("A=1 python x.py $A")[0].argv[-1] == "$A"
    assert commands("A=1 B='x y' python x.py")[0].assignments == (("A", "1"), ("B", "x y"))


def test_what_branches_disagree_on_is_not_known() -> None:
    assert words("M=a; if t; then M=b; fi; python $M")[-1] == ("python", "$M")
    assert words("M=a; if t; then M=a; fi; python $M")[-1] == ("python", "a")
    assert words("(M=b); echo $M")[-1] == ("echo", "$M")
    assert words("M=$(python pick.py)\necho $M")[-1] == ("echo", "$M")
    assert words("read M < f; echo $M")[-1] == ("echo", "$M")


def test_lists_positional_parameters_and_the_folder_of_a_script() -> None:
    assert words('S=(1 "2 3"); python x.py "${S[@]}"')[-1] == ("python", "x.py", "1", "2 3")
    script = 'HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\ncd "$HERE"\npython x.py "$1" "$@"'
    line = parse_command_line(script, "study", arguments=["code/run.sh", "7", "8"])
    assert line.commands[-1].argv == ("python", "x.py", "7", "7", "8")
    assert line.cwd == "study/code"


def test_the_answer_of_pwd_holds_after_a_change_of_directory() -> None:
    line = commands("D=$(pwd); cd sub; python $D/x.py > $PWD/o")
    assert line[-1].argv == ("python", "../x.py")
    assert join_path(line[-1].cwd, line[-1].redirects[0].target) == "sub/o"
    assert commands("D=$(pwd); cd sub; python $D/x.py", "/a")[-1].argv == ("python", "/a/x.py")


# ---------------------------------------------------------------------------------------------------- directories


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("cd a && cd ../b", "b"),
        ("cd a; (cd b; ls)", "a"),
        ("cd a | ls", ""),
        ("cd a & ls", ""),
        ("cd /x/./y//z/..", "/x/y"),
        ("cd ..", ".."),
        ("cd a; cd -", ""),
        ("cd", "~"),
        ("cd ~/p", "~/p"),
        ("cd $HOME/p/..", "$HOME"),
        ("cd $P/..", "$P/.."),
        ("pushd a; pushd b; popd", "a"),
        ("{ cd a; }", "a"),
        ("[ -d a ] || cd b", ""),
        ("if [ -d a ]; then cd a; fi", "a"),
        ("cd a || exit 1", "a"),
        ("f() { cd a; }; f", "a"),
        ("cd 'my dir'", "my dir"),
    ],
)
def test_the_directory_after_a_text(text: str, cwd: str) -> None:
    assert parse_command_line(text).cwd == cwd


def test_each_command_knows_its_directory() -> None:
    line = commands("ls; cd a && ls; cd ../b; ls", "/top")
    assert [command.cwd for command in line if command.argv == ("ls",)] == ["/top", "/top/a", "/top/b"]


def test_paths_do_not_climb_out_of_what_is_unknown() -> None:
    assert join_path("a", "$X/../b") == "$X/../b"
    assert join_path("/a", "../../b") == "/b"
    assert join_path("a", "../../b") == "../b"
    assert join_path("a", ".") == "a"
    assert join_path("", "./") == ""


# ------------------------------------------------------------------------------------- how commands hang together


def test_connectors_pipelines_and_positions() -> None:
    line = commands("a && b | c |& d; e\nf || g &")
    assert [command.connector for command in line] == ["", "&&", "|", "|&", ";", "", "||"]
    assert [(command.position, command.last_in_pipeline) for command in line[1:4]] == [
        (0, False),
        (1, False),
        (2, True),
    ]
    assert len({command.pipeline for command in line}) == 5
    assert [command.reader for command in line] == [None, line[2], line[3], None, None, None, None]
    assert [command.background for command in line] == [False] * 5 + [True] * 2
    assert [command.guarded for command in line] == [False] * 6 + [True]


def test_a_redirect_after_a_list_belongs_to_its_last_command() -> None:
    line = commands("cd a && python x.py > log 2>&1")
    assert line[0].redirects == ()
    assert line[1].redirects == (Redirect("1", ">", "log"), Redirect("2", ">&", "&1"))


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("a && b", [False, False]),
        ("a; b", [True, False]),
        ("a || b", [True, False]),
        ("a | b", [True, False]),
        ("a && b || c", [True, True, False]),
        ("a || b && c", [True, False, False]),
        ("! a", [True]),
        ("a &", [True]),
        ("set -e; a; b", [True, False, False]),
        ("set -eo pipefail\na | b", [True, False, False]),
        ("if a; then b; fi", [True, False]),
        ("for i in 1 2; do a; done", [True, False]),
        ("(a; b)", [True, False]),
        ("x=$(a)", [True, False]),
    ],
)
def test_whose_failure_shows_in_the_status_of_the_text(text: str, hidden: list[bool]) -> None:
    assert [command.hides_status for command in commands(text)] == hidden


def test_conditions_run_and_branches_may_not() -> None:
    line = commands("if a; then b; elif c; then d; else e; fi; while f; do g; done; case $x in y) h;; esac; i")
    guarded = {command.argv[0]: command.guarded for command in line}
    assert guarded == dict(zip("abcdefghi", [0, 1, 1, 1, 1, 0, 1, 1, 0], strict=True))


def test_loops_over_known_lists_are_unrolled() -> None:
    line = commands("for s in 1 2; do for m in a b; do python x.py --seed $s --m $m > $m$s.txt; done; done")
    assert [command.argv[3::2] for command in line] == [("1", "a"), ("1", "b"), ("2", "a"), ("2", "b")]
    assert [command.redirects[0].target for command in line] == ["a1.txt", "b1.txt", "a2.txt", "b2.txt"]
    assert line[0].text == "python x.py --seed 1 --m a > a1.txt"
    assert words("for i in $(seq 2 3); do a $i; done") == [("a", "2"), ("a", "3")]
    assert words("for ((i=1;i<=2;i++)); do a $i; done") == [("a", "1"), ("a", "2")]
    assert len(words("for i in {1..64}; do a $i; done")) == 64
    unknown = commands("for f in $(ls); do a $f; done")
    assert unknown[-1].argv == ("a", "$f")
    assert unknown[-1].guarded


def test_functions_are_replaced_by_their_bodies_where_they_are_called() -> None:
    line = commands('run() { python x.py --seed "$1"; }\nrun 1; run 2\nspare() { python y.py; }')
    assert [command.argv for command in line] == [
        ("python", "x.py", "--seed", "1"),
        ("python", "x.py", "--seed", "2"),
        ("python", "y.py"),
    ]
    assert [command.guarded for command in line] == [False, False, True]


def test_groups_hand_their_streams_to_their_commands() -> None:
    line = commands("{ python a.py; python b.py; } > log 2>&1; for i in 1 2; do c; done | tee t")
    assert [command.redirects[0].op for command in line[:2]] == [">", ">>"]
    assert [command.reader for command in line] == [None, None, line[4], line[4], None]
    assert commands("exec > all.log; a")[-1].redirects == (Redirect("1", ">", "all.log"),)
    tee, python = commands("python x.py > >(tee log)")
    assert python.reader == tee


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("bash -lc 'cd a && ls'", [("cd", "a"), ("ls",)]),
        ("timeout 60 bash -c 'python x.py'", [("python", "x.py")]),
        ("bash -euo pipefail -c 'a; b'", [("a",), ("b",)]),
        ("sh <<'E'\na\nb\nE", [("a",), ("b",)]),
        ("eval 'a b'", [("a", "b")]),
        ("X=1 bash -c 'echo $X $1' s y", [("echo", "1", "y")]),
        ("bash -c \"bash -c 'a'\"", [("a",)]),
        ("bash run.sh", [("bash", "run.sh")]),
        ("echo bash -c x", [("echo", "bash", "-c", "x")]),
    ],
)
def test_a_text_handed_to_a_shell_is_taken_apart_too(text: str, inner: list[tuple[str, ...]]) -> None:
    assert words(text) == inner


def test_an_inner_shell_has_its_own_directory_and_the_streams_of_its_command() -> None:
    line = parse_command_line("cd top; bash -c 'cd a && python x.py' > log | tee t; ls")
    assert [command.cwd for command in line.commands] == ["", "top", "top/a", "top", "top"]
    assert line.commands[2].redirects == (Redirect("1", ">", "log"),)
    assert line.commands[2].reader == line.commands[3]
    assert parse_command_line("eval 'cd a'").cwd == "a"
    assert [command.hides_status for command in commands("bash -ec 'a; b'")] == [False, False]


def test_commands_in_substitutions_are_listed_before_their_command() -> None:
    line = commands('x=$(python a.py | tail -1); echo "got $(cat b)"')
    assert [(command.argv[:1], command.substituted) for command in line] == [
        (("python",), True),
        (("tail",), True),
        ((), False),
        (("cat",), True),
        (("echo",), False),
    ]
    assert words("echo $(pwd) $(dirname a/b) $(basename c/d.py .py)") == [("echo", ".", "a", "d")]


# ------------------------------------------------------------------------------------------------- streams and texts


@pytest.mark.parametrize(
    ("text", "redirects"),
    [
        ("a > f", [("1", ">", "f")]),
        ("a >> f", [("1", ">>", "f")]),
        ("a >| f", [("1", ">", "f")]),
        ("a 2> f", [("2", ">", "f")]),
        ("a &> f", [("&", ">", "f")]),
        ("a &>> f", [("&", ">>", "f")]),
        ("a >& f", [("&", ">", "f")]),
        ("a 2>&1", [("2", ">&", "&1")]),
        ("a < f", [("0", "<", "f")]),
        ("> f", [("1", ">", "f")]),
        ("a > 'x y' 2>/dev/null", [("1", ">", "x y"), ("2", ">", "/dev/null")]),
        ("a > f |& b", [("1", ">", "f"), ("2", ">&", "&1")]),
    ],
)
def test_redirects(text: str, redirects: list[tuple[str, str, str]]) -> None:
    assert commands(text)[0].redirects == tuple(Redirect(*one) for one in redirects)


@pytest.mark.parametrize(
    ("text", "body", "verbatim"),
    [
        ("cat > f <<'E'\na $x\nE\n", "a $x\n", True),
        ("cat > f <<E\na $x \\$y\nE\n", "a $x $y\n", False),
        ("cat > f <<E\nplain $5.00 100%\nE", "plain $5.00 100%\n", False),
        ("cat > f <<-E\n\t\ta\n\tE\nls", "a\n", True),
        ('cat > f << "E F"\na\nE F\nls', "a\n", True),
        ("cat > f <<'E'\nno end 'x (\n", "no end 'x (\n", True),
        ("cat > f <<'E'\nno end", "no end\n", True),
        ("python - <<< 'print(1)'", "print(1)\n", True),
        ("cat <<A <<'B' > f\none\nA\ntwo\nB\n", "two\n", True),
    ],
)
def test_texts_given_on_standard_input(text: str, body: str, verbatim: bool) -> None:
    first = commands(text)[0]
    assert (first.stdin_text, first.stdin_verbatim) == (body, verbatim)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("echo 'print(1)' | python -", "print(1)\n"),
        ("printf '%s\\n' a b | python", "a\nb\n"),
        ("cat <<'E' | python - x\nprint(2)\nE", "print(2)\n"),
        ("echo -e 'a\\tb' | cat", "a\tb\n"),
        ("cat file | python -", None),
        ("echo a > f | python -", None),
    ],
)
def test_words_that_are_piped_are_the_text_on_standard_input(text: str, body: str | None) -> None:
    assert commands(text)[-1].stdin_text == body


def test_what_follows_here_documents_is_still_read() -> None:
    text = "cat > a.py <<'X' && cat <<Y | grep b > c\nprint('\")\nX\nb\nY\npython a.py 'q'\n"
    line = commands(text)
    assert [command.argv[0] for command in line] == ["cat", "cat", "grep", "python"]
    assert [command.stdin_text for command in line[:2]] == ["print('\")\n", "b\n"]
    assert line[0].text == "cat > a.py <<'X'"
    message = commands("git commit -m \"$(cat <<'E'\nit's ) done\nE\n)\" && ls")
    assert [command.argv[0] for command in message] == ["cat", "git", "ls"]


# ------------------------------------------------------------------------------------------------- broken and hostile


@given(st.text(alphabet="ab '\"`$(){}<>|&;\n\\#=-/*!~[]1", max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_and_read_the_same_again(text: str) -> None:
    first = parse_command_line(text)
    assert first == parse_command_line(text)
    for command in first.commands:
        assert "\0" not in command.cwd + command.text + "".join(command.argv)


@given(st.text(alphabet="é\U0001f600\U0010ffff\ue000_u5f$(){}<|&;\n #=-'", max_size=30))
@settings(max_examples=300, deadline=None)
def test_characters_outside_ascii_come_back_as_they_were(text: str) -> None:
    """They used to make the scanner of the grammar read beyond its tables."""
    parse_command_line(text)
    word = "".join(char for char in text if char.isalnum() or char in "_\ue000\U0001f600\U0010ffff")
    if word:
        assert parse_command_line(f"echo {word}x").commands[0].argv == ("echo", f"{word}x")


@given(st.text(max_size=40), st.text(max_size=10))
@settings(deadline=None)
def test_any_characters_are_read(text: str, cwd: str) -> None:
    parse_command_line(text, cwd)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "$(" * 20_000,
        "if a; then " * 5_000,
        "a|" * 6_000,
        "\"'" * 20_001,
        "`" * 10_001,
        "a && " * 20_000 + "b",
        "${A:-" * 5_000,
        "A=aa;" + "A=$A$A;" * 100 + "echo $A",
        "for a in 1 2; do " * 30 + " ls " + "; done" * 30,
        "f() { f; f; }; f",
        "cat <<E\n" + "x\n" * 500_000,
        "\n" * 500_000,
        "\ud800 a 'b\udfff'",
        "x\0y",
        "eval " * 2_000 + "a",
        "bash -c '" * 50,
        "a() { eval a; eval a; }; a",
        "echo '" + "x" * 5_000_000 + "'",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_absurd_texts_are_bounded(text: str) -> None:
    line = parse_command_line(text)
    assert len(line.commands) <= 2_001


def test_a_text_that_is_cut_says_so() -> None:
    assert parse_command_line("a; b").complete
    assert not parse_command_line("a;" * 5_000).complete


@pytest.mark.parametrize("text", ["a && && b )", "a;;b", "fi; b", "a | | b", "b }"])
def test_broken_syntax_still_gives_its_commands(text: str) -> None:
    assert "b" in [command.argv[0] for command in commands(text) if command.argv]
