"""Write those pages of the reference that follow from the code: `python docs/_generate/reference.py`.

Each page is a function that gives its text, so that a test can compare it with the page that is kept. Nothing here is part of
the package, and no page of the site is made when the site is built: what is read is what lies in the repository.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import EnumType
from html import escape
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec.inspect
from rdflib import OWL, RDF, RDFS, Graph, URIRef
from typer.main import get_command
from verdict_examples import audited

from provchain import cli
from provchain import events as traced
from provchain.auditing.policy import Policy, parameters
from provchain.auditing.policy_files import list_policies, load_policy
from provchain.errors import ProvchainError
from provchain.events import logged
from provchain.queries import list_queries
from provchain.resources import read_resource

__all__ = ["PAGES", "main"]

DOCS = Path(__file__).resolve().parents[1]
MARK = "<!-- Written by docs/_generate/reference.py; change what it is made from, then run `make docs-reference`. -->"
TYPES = {
    "IRI": "an IRI",
    "string": "a text",
    "integer": "a whole number",
    "decimal": "a number",
    "boolean": "true or false",
    "claim": "a claim: its id or IRI",
    "record": "something on record: its path, id or IRI",
}


def page(title: str, introduction: str, sections: Sequence[str]) -> str:
    """Put a page together: the mark that it is written by a program, its title, its text."""
    return "\n\n".join([MARK, f"# {title}", introduction.strip(), *(section.strip() for section in sections)]) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table; a bar in a cell would end it."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "&#124;") for cell in line) + " |" for line in lines)


def code(text: str) -> str:
    """Mark a text as code; one with a bar as HTML, since readers of Markdown differ on it inside a table."""
    return f"<code>{escape(text)}</code>" if "|" in text else f"`{text}`"


def one_line(text: str) -> str:
    """Join lines; what reStructuredText marks as code is code here too, and what names a page links to it."""
    joined = re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split()))
    return re.sub(r"`docs/([\w/-]+)\.md`", lambda found: f"[{_title(found[1])}](../{found[1]}.md)", joined)


def _title(name: str) -> str:
    """What a page calls itself."""
    found = re.search(r"^# (.+)$", (DOCS / f"{name}.md").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else name


# -------------------------------------------------------------------------------------------------------- command line


def command_line() -> str:
    """The page on the command line, from the commands themselves."""
    app: Any = cli.app
    application: Any = get_command(app)
    commands = {name: one for name, one in application.commands.items() if not one.hidden}
    introduction = f"""
{application.help}

`PATH` is the directory of a run, or its trace. A claim is named by its place (`path:line` or `path:line:column`) or by its id,
which `provchain query claims PATH` lists. `provchain --help` and `provchain COMMAND --help` say the same as this page.
"""
    return page(
        "Command line",
        introduction,
        [
            "## Exit codes\n\n"
            + table(
                ["code", "means"],
                [
                    ["0", "`audit`: the action is `accept`, for every `PATH`. Other commands: done"],
                    ["1", "`audit`: any other action"],
                    ["2", "wrong usage; also a claim, query or parameter that does not exist, a query that cannot run"],
                    ["3", "something could not be read or written"],
                ],
            ),
            *(_command(name, one) for name, one in commands.items()),
        ],
    )


def _command(name: str, command: Any) -> str:
    types = get_type_hints(inspect.unwrap(command.callback))
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join(["provchain", name, *map(_argument, arguments), "[OPTIONS]"])
    parts = [f"## provchain {name}", f"`{usage}`", inspect.cleandoc(command.help or "")]
    if arguments:
        parts.append(table(["argument", "is"], [[code(_argument(one)), one_line(one.help or "")] for one in arguments]))
    if options:
        rows = [[_spellings(one, types.get(one.name)), one_line(one.help or "") + _default(one)] for one in options]
        parts.append(table(["option", "does"], rows))
    return "\n\n".join(parts)


def _argument(argument: Any) -> str:
    given = argument.metavar or argument.name.upper()
    given = given if argument.required or given.startswith("[") else f"[{given}]"
    return given if argument.nargs != -1 or "..." in given else f"{given}..."


def _spellings(option: Any, kind: Any) -> str:
    values: list[Any] = list(kind) if isinstance(kind, EnumType) else []
    choices = "|".join(str(one.value) for one in values)
    takes = "" if option.is_flag else " " + (choices or option.metavar or option.name.upper())
    return ", ".join(code(f"{spelling}{takes}") for spelling in (*option.opts, *option.secondary_opts))


def _default(option: Any) -> str:
    default = getattr(option.default, "value", option.default)
    return "" if option.is_flag or default in (None, (), []) or callable(default) else f" Default: `{default}`."


# ------------------------------------------------------------------------------------------------------------- queries


def queries() -> str:
    """The page on the prepared questions, from the headers of their files."""
    introduction = """
The prepared questions. Ask one with `provchain query NAME PATH`, or from Python as shown in
[Query from Python](../how-to/query-from-python.md); `provchain queries` lists them. Each is a SPARQL 1.1 file in the folder
`queries/` whose header says what stands here, so a file of your own with such a header works in the same way. The environment
variable `PROVCHAIN_QUERIES` can name folders of your own; their queries are then known by name too.

An `IRI` is the name of something in the graph. A column marked *optional* can be empty.
"""
    found = list_queries()
    overview = table(["name", "question"], [[f"[{one.name}](#{one.name})", one.question] for one in found])
    return page("Queries", introduction, [overview, *(_query(one) for one in found)])


def _query(query: Any) -> str:
    needs = [[code(one.name), _type(one.type), "no" if one.optional else "yes", one.help or ""] for one in query.params]
    gives = [[code(one.name), _type(one.type) + (", optional" if one.optional else "")] for one in query.columns]
    parts = [f"## {query.name}", query.question]
    if needs:
        parts.append(table(["parameter", "takes", "needed", "is"], needs))
    parts.append(table(["column", "holds"], gives))
    parts.append(f"Sorted by {query.order}.")
    if remark := _remark(query.text):
        parts.append(remark)
    return "\n\n".join(parts)


def _type(name: str) -> str:
    return TYPES.get(name, name)


def _remark(text: str) -> str:
    """What a query's comment says below its header, with the headings of its paragraphs kept."""
    comment = [line[1:].rstrip() for line in text.splitlines() if line.startswith("#")]
    below = "\n".join(line.removeprefix(" ") for line in comment).partition("\n\n")[2]
    paragraphs = [paragraph.strip("\n") for paragraph in below.split("\n\n") if paragraph.strip()]
    kept = [_list(part) if re.search(r"^\s+\d+\. ", part, re.MULTILINE) else one_line(part) for part in paragraphs]
    return "\n\n".join(kept)


def _list(text: str) -> str:
    """A paragraph that holds a numbered list, with the list set off from the words before it and after it."""
    items: list[str] = []
    words: list[str] = []
    closing: list[str] = []
    for line in text.splitlines():
        if re.match(r"\s+\d+\. ", line):
            items.append(line.strip())
        elif items and line.startswith(" " * 4):
            items[-1] += " " + line.strip()
        else:
            (closing if items else words).append(line.strip())
    return "\n\n".join(part for part in (" ".join(words), "\n".join(items), " ".join(closing)) if part)


# --------------------------------------------------------------------------------------------------------- study files


def study_files() -> str:
    """The page on the format of study files, from the classes of its events."""
    common = [("event", "a text", True, "The name of the event."), *_fields(logged.Logged)]
    own = {field[0] for field in common}
    sections = [
        "## Every event\n\n" + _field_table([field for field in common if field[0] not in ("at", "extra")]),
        "A field or an event that this version does not know is kept as it is and not used.",
        "## Events",
    ]
    for kind in logged.LOGGED:
        fields = [field for field in _fields(kind) if field[0] not in own]
        says = _prose(kind)
        sections.append("\n\n".join([f"### {kind.__struct_config__.tag}", says, _field_table(fields)]))
    sections.append(
        "## A link\n\n" + _prose(logged.DeclaredLink) + "\n\n" + _field_table(list(_fields(logged.DeclaredLink)))
    )
    return page("Study files", _STUDY_FILES, sections)


_STUDY_FILES = """
What a recorder writes when it wants to be read without an adapter of its own: [Emit events from your own
agent](../how-to/emit-events.md) shows it at work. The format is called `provchain-study/1` and comes in two forms that say the
same. Both begin with a header: `format`, a `title`, the `recorders` that attest the events, and, if absolute paths are used,
the `root` of the study on the machine where it ran.

A **log** has the suffix `.jsonl` and one JSON object a line, the header first. It is only ever appended to. If its last line
is cut off, it is read up to there and the report says so.

```jsonl
{"format": "provchain-study/1", "title": "A study", "recorders": [{"id": "harness", "kind": "observer"}]}
{"event": "execution-started", "execution": "e1", "command": "python train.py"}
{"event": "execution-ended", "execution": "e1", "exit_code": 0}
```

A **document** has the suffix `.json` and holds the events in a list:

```json
{"format": "provchain-study/1", "title": "A study", "recorders": [{"id": "harness", "kind": "observer"}],
 "events": [{"event": "execution-started", "execution": "e1", "command": "python train.py"}]}
```

A recorder of the kind `observer` saw it happen: a harness, a workflow engine. One of the kind `testimony` tells what it says
happened, such as the agent itself. Only what an observer attests counts for a chain
([why](../explanation/evidence.md#who-says-it)). Who wrote the file decides too: one that something on record wrote, the agent
or a command of the study, is testimony as a whole, whatever its header says.

The schema, for programs that check a document against one, is `schemas/study.schema.json`.

Paths are relative to the study's directory. An id has to be declared before it is used. The order of the events is the order
in which things happened. An adapter yields the same events as [classes](events.md).
"""


def _fields(kind: type) -> Iterator[tuple[str, str, bool, str]]:
    """Yield name, type, whether it is needed, and meaning of each field of a class."""
    information: Any = msgspec.inspect.type_info(kind)
    meanings = dict(_attributes(kind) if kind is logged.Logged else [*_attributes(logged.Logged), *_attributes(kind)])
    for field in information.fields:
        yield field.encode_name, _json_type(field.type), field.required, meanings.get(field.encode_name, "")


def _field_table(fields: Sequence[tuple[str, str, bool, str]]) -> str:
    rows = [
        [code(name), holds, "yes" if needed else "no", one_line(meaning)] for name, holds, needed, meaning in fields
    ]
    return table(["field", "holds", "needed", "is"], rows)


def _prose(kind: type) -> str:
    """The docstring of a class down to its attributes."""
    return re.split(r"\n\s*Attributes:", inspect.getdoc(kind) or "")[0].strip().replace("``", "`")


def _attributes(kind: type) -> Iterator[tuple[str, str]]:
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    for found in re.finditer(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", listed, re.MULTILINE):
        yield found[1], found[2]


def _json_type(kind: Any) -> str:
    """Say in words what stands in JSON for a type of Python."""
    info = msgspec.inspect
    if isinstance(kind, info.UnionType):
        return " or ".join(_json_type(one) for one in kind.types if not isinstance(one, info.NoneType))
    if isinstance(kind, info.EnumType):
        return "one of " + ", ".join(code(str(one.value)) for one in kind.cls)
    if isinstance(kind, info.VarTupleType | info.ListType):
        return f"a list: {_json_type(kind.item_type)}"
    if isinstance(kind, info.DictType):
        return f"an object: {_json_type(kind.value_type)} by name"
    if isinstance(kind, info.StructType):
        inner = ", ".join(code(field.encode_name) for field in kind.fields)
        return "[a link](#a-link)" if kind.cls is logged.DeclaredLink else f"an object with {inner}"
    words: dict[Any, str] = {
        info.StrType: "a text",
        info.IntType: "a whole number",
        info.BoolType: "true or false",
        info.DecimalType: "a number",
    }
    return words[type(kind)]


# -------------------------------------------------------------------------------------------------------------- events

# What is no event of a study file, but what its header and what the adapter saw become.
_BESIDE: tuple[tuple[type[logged.Logged], str], ...] = (
    (logged.StudyDeclared, "the header"),
    (logged.RecorderDeclared, "a recorder of the header"),
    (logged.OtherLogged, "an event that is not known"),
    (logged.LogCut, "a last line that is cut off"),
)


def events() -> str:
    """The page on the events that adapters yield, from their classes."""
    kinds = [getattr(traced, name) for name in traced.__all__ if name != "Event"]
    others = [
        [code(kind.__name__), said, _named_fields(kind), one_line(_prose(kind).partition("\n\n")[0])]
        for kind, said in _BESIDE
    ]
    rows = [
        [
            code(kind.__name__),
            f"[`{kind.__struct_config__.tag}`](study-files.md#{kind.__struct_config__.tag})",
            _named_fields(kind),
            one_line(_prose(kind).partition("\n\n")[0]),
        ]
        for kind in logged.LOGGED
    ]
    head = ["class", "in a study file", "fields", "says"]
    sections = [
        _EVENTS_CHOICE,
        "## What a recorder says outright\n\n" + _EVENTS_LOGGED.strip() + "\n\n" + table(head, rows),
        "These four have no name of their own in a study file:\n\n" + table(head, others),
        _EVENTS_ORDER,
        "## What a trace shows\n\n" + _EVENTS_TRACED.strip(),
        *(f"### {kind.__name__}\n\n{_prose(kind)}\n\n" + _trace_table(kind) for kind in kinds),
    ]
    return page("Events", _EVENTS, sections)


_EVENTS = """
What an adapter yields: the classes, their fields, and which one to use. [Write an adapter](../how-to/write-an-adapter.md) shows
them at work.

An event says what a source says, uninterpreted. There are two families, and a source is read with one of them:

- `provchain.events.logged` is for a log that says **outright** what ran, how it ended and which files it left.
- `provchain.events` is for a trace that holds **commands and what came back**. What ran, how it ended and which files it left
  is then worked out, for all such formats alike.

`provchain.events`, `provchain.events.logged`, `provchain.errors`, `provchain.model` and `provchain.adapters.Adapter` are
**stable for adapters**: what stands here keeps its name, its fields and its meaning. A new field always has a default, and no
adapter has to yield a new event.
"""
_EVENTS_CHOICE = """
## Which class

Names that sound alike mean different things. The wrong one turns what a process left into something that the agent typed:

| what happened | log that says it outright | trace of commands |
| --- | --- | --- |
| a process wrote a file | `logged.OutputWritten` | nothing: it follows from the command |
| the agent typed a file | `logged.FileAuthored` | `FileWritten` |
| the agent changed a part of a file | `logged.FileAuthored`, with the whole text | `FileEdited` |
| a process read a file | `logged.InputRead` | nothing: it follows from the command |
| a tool showed what stood in a file | nothing | `FileRead` |
| a process ran | `logged.ExecutionStarted`, then one of its ends | `CommandRun` |
| the agent said something | nothing, or `logged.HelpAsked`, `logged.WorkGivenUp` | `Message` |
"""
_EVENTS_LOGGED = """
These are the classes of `provchain.events.logged`, and at the same time the events of a [study file](study-files.md), where the
meaning of each field stands. Fields in bold are needed. Beside its own fields each has **`at`**, its place in the source;
`time`, as ISO 8601; `recorder`, the id of who says so, the first one if empty; and `extra`, what else stands there, as a JSON
object in a text. All fields are given by name.
"""
_EVENTS_ORDER = """
Their order matters. It is checked for every adapter, and what does not fit is an error with all its places:

1. `RecorderDeclared` comes **first**, one for each recorder: without one nobody says who attests what follows. `StudyDeclared`
   may stand before it.
2. An id has to be **declared before it is used**: a plan before its steps, a step before the executions that name it, an
   execution before what it read, wrote and logged, and before its end. No id is declared twice.
3. An execution without an end is `running`, and supports nothing.
4. The order of the events is the order in which things happened. A file is read or written between the start and the end of its
   execution.
5. A digest is a SHA-256: 64 hexadecimal digits, with or without `sha256:` before them.
"""
_EVENTS_TRACED = """
These are the classes of `provchain.events`. Fields can be given by position, in this order. What the source does not tell stays
`None`.
"""


def _named_fields(kind: type) -> str:
    """The fields of an event beside those that all have, those that are needed in bold."""
    own = {field.encode_name for field in msgspec.inspect.type_info(logged.Logged).fields}  # type: ignore[attr-defined]
    fields = [(name, needed) for name, _, needed, _ in _fields(kind) if name not in own]
    return ", ".join(f"**{code(name)}**" if needed else code(name) for name, needed in fields)


def _trace_table(kind: type) -> str:
    """The fields of an event of a trace, with their types as Python has them."""
    meanings = dict(_attributes(kind))
    types = get_type_hints(kind)
    information: Any = msgspec.inspect.type_info(kind)
    rows = [
        [
            code(field.encode_name),
            _python_type(types[field.encode_name]),
            "yes" if field.required else "no",
            one_line(meanings.get(field.encode_name, "")),
        ]
        for field in information.fields
    ]
    return table(["field", "holds", "needed", "is"], rows)


def _python_type(told: Any) -> str:
    """A type as it is written in Python, without the names of modules."""
    written = told.__name__ if isinstance(told, type) and not get_args(told) else str(told)
    first, *others = re.sub(r"\b(?:\w+\.)+", "", written).split(" | ")
    return " or ".join(map(code, (first, *others)))


# ------------------------------------------------------------------------------------------------------------- schemas


def report() -> str:
    """The page on the report, from its JSON Schema."""
    schema = json.loads(read_resource("schemas", "report.schema.json"))
    introduction = """
What `provchain audit --format json` prints and `Report.to_json()` gives. The format is called `provchain-report/1`; its schema
is `schemas/report.schema.json`, from which this page is made. The same input gives the same bytes on any machine. Every field
is always there.

The words that verdicts and outcomes are made of are explained under [Verdicts](verdicts.md).
"""
    return page("Report", introduction, list(_schema_sections(schema, "The report")))


def claims_file() -> str:
    """The page on declared links and waivers, from their JSON Schema."""
    schema = json.loads(read_resource("schemas", "claims.schema.json"))
    introduction = """
The file `claims.toml` beside a manuscript says what its claims rest on, and which of them a person answers for. [Declare what a
claim rests on](../how-to/declare-links.md) shows it at work, and tells which waivers count and what they change. The format is
called `provchain-claims/1`; its schema is `schemas/claims.schema.json`, from which this page is made.
"""
    return page("Claims file", introduction, list(_schema_sections(schema, "The file", needed=True)))


def _schema_sections(schema: Mapping[str, Any], title: str, *, needed: bool = False) -> Iterator[str]:
    parts = schema["$defs"]
    yield f"## {title}\n\n" + _schema_table(schema, parts, needed=needed)
    for name, part in parts.items():
        heading = f"## {name}"
        about = part.get("description", part.get("title", ""))
        if "properties" in part:
            yield "\n\n".join(filter(None, [heading, about, _schema_table(part, parts, needed=needed)]))
        elif "enum" in part:
            yield f"{heading}\n\n{about}: " + ", ".join(code(str(one)) for one in part["enum"]) + "."


def _schema_table(part: Mapping[str, Any], parts: Mapping[str, Any], *, needed: bool) -> str:
    rows = []
    for name, field in part["properties"].items():
        meaning = field.get("description") or _plain_part(field, parts).get("description", "")
        need = ["yes" if name in part.get("required", ()) else "no"] if needed else []
        rows.append([code(name), _schema_type(field, parts), *need, one_line(meaning)])
    return table(["field", "holds", *(["needed"] if needed else []), "is"], rows)


def _plain_part(field: Mapping[str, Any], parts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part that a field points at, if it is so small that it has no section of its own."""
    part: Mapping[str, Any] = parts.get(str(field.get("$ref", "")).rpartition("/")[2], {})
    return {} if "properties" in part or "enum" in part else part


def _schema_type(field: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Say in words what a schema allows at one place."""
    if plain := _plain_part(field, parts):
        return _schema_type(plain, parts)
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in field:
        return code(str(field["const"]))
    if "enum" in field:
        return "one of " + ", ".join(code(str(one)) if one is not None else "null" for one in field["enum"])
    if alternatives := field.get("oneOf") or field.get("anyOf"):
        return " or ".join(_schema_type(one, parts) for one in alternatives)
    if field.get("type") == "array":
        return f"a list: {_schema_type(field['items'], parts)}"
    words = {"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
    types: list[str] = field["type"] if isinstance(field["type"], list) else [field["type"]]
    return " or ".join(words.get(one, one) for one in types)


# ------------------------------------------------------------------------------------------------------------ policies


def policies() -> str:
    """The page on the parameters of policies, from their JSON Schema and from the policies that ship."""
    schema = json.loads(read_resource("schemas", "policy.schema.json"))
    names = sorted(list_policies(), key=["strict", "default", "lenient"].index)
    shipped = [load_policy(name) for name in names]
    sections = [
        "## The file\n\n" + _schema_table(schema, schema["$defs"], needed=True),
        "## The policies that ship\n\n" + table(["name", "is"], [[code(one.name), one.summary] for one in shipped]),
        *(_policy_section(name, part, shipped) for name, part in schema["$defs"].items()),
        _POLICY_FIXED,
        *(f"## {name}.toml\n\n```toml\n{read_resource('policies', f'{name}.toml').strip()}\n```" for name in names),
    ]
    return page("Policies", _POLICIES, sections)


_POLICIES = """
A policy says where the lines run between the outcomes of a manuscript, and what a reader should do after each: [Write a
policy](../how-to/write-a-policy.md) shows it at work, and [Verdicts](verdicts.md#a-manuscript-and-a-study) is the table whose
lines these are. `provchain audit --policy NAME|FILE` and `provchain.audit(path, policy=...)` take the name of one that ships
with provchain, or the path of a TOML file. The format is called `provchain-policy/1`; its schema is
`schemas/policy.schema.json`.
"""
_POLICY_FIXED = """
## What no policy can move

What is sound is no parameter:

- **No verdict gets better.** An execution that did not complete supports nothing, and testimony never counts, under any
  policy. One parameter, `told-partial`, can make a verdict worse.
- **A result that fails always costs `accept`**, also one of a kind that `results` leaves out. The outcome is then never
  `supported`.
- **Only what is supported can be accepted.** `actions` takes `accept` for `supported` and `supported-with-deviations` alone.
- **Where nothing is known, nothing is accepted**, even with `known-to-accept = 0`.
- **Only a person's waiver leaves a failing result out**, and only one that [counts](../how-to/declare-links.md#waive-a-claim).
"""


def _policy_section(name: str, part: Mapping[str, Any], shipped: Sequence[Policy]) -> str:
    held = [{key: value for section, key, value in parameters(one) if section == name} for one in shipped]
    rows = [
        [code(key), _taken(field), *(_in_toml(values[key]) for values in held), one_line(field["description"])]
        for key, field in part["properties"].items()
    ]
    head = ["parameter", "takes", *(code(one.name) for one in shipped), "is"]
    return f"## {name}\n\n{one_line(part['description'])}\n\n" + table(head, rows)


def _taken(field: Mapping[str, Any]) -> str:
    """What a parameter takes; a share says from where to where."""
    if field.get("type") == "number":
        return f"a number from {field['minimum']} to {field['maximum']}"
    return _schema_type(field, {})


def _in_toml(value: Any) -> str:
    values = value if isinstance(value, tuple) else (value,)
    return ", ".join(code(json.dumps(one).strip('"')) for one in values)


# ---------------------------------------------------------------------------------------------------------- vocabulary


def vocabulary() -> str:
    """The page on the vocabulary, from its Turtle file."""
    text = read_resource("schemas", "provchain.ttl")
    graph = Graph().parse(data=text, format="turtle")
    introduction = """
The classes and properties of provchain's own, for what [W3C PROV](https://www.w3.org/TR/prov-o/) and its neighbours have no
word for. `pc:` stands for `https://w3id.org/provchain/ns#`. The file is `schemas/provchain.ttl`. What the words mean is told
in the [glossary](glossary.md).
"""
    classes = [term for term in graph.subjects(RDF.type, RDFS.Class) if isinstance(term, URIRef)]
    properties = [term for term in graph.subjects(RDF.type, RDF.Property) if isinstance(term, URIRef)]
    class_rows = [
        [code(_short(graph, term)), _all(graph, term, RDFS.subClassOf), _comment(graph, term)]
        for term in sorted(set(classes))
    ]
    property_rows = [
        [
            code(_short(graph, term)),
            _all(graph, term, RDFS.domain),
            _all(graph, term, RDFS.range),
            _comment(graph, term),
        ]
        for term in sorted(set(properties))
    ]
    individuals = sorted(
        {
            term
            for term in graph.subjects(RDFS.label)
            if isinstance(term, URIRef) and term not in classes and term not in properties
        }
    )
    sections = [
        "## Classes\n\n" + table(["class", "is a", "meaning"], class_rows),
        "## Properties\n\n" + table(["property", "of", "holds", "meaning"], property_rows),
    ]
    rows = [[code(_short(graph, one)), _all(graph, one, RDF.type), _comment(graph, one)] for one in individuals]
    if rows:
        sections.append("## Terms\n\n" + table(["term", "is a", "meaning"], rows))
    return page("Vocabulary", introduction, sections)


def _short(graph: Graph, term: URIRef) -> str:
    prefix, _, name = graph.namespace_manager.compute_qname(term, generate=False)
    return f"{prefix}:{name}"


def _all(graph: Graph, term: URIRef, predicate: URIRef) -> str:
    names = {
        _short(graph, one) for one in graph.objects(term, predicate) if isinstance(one, URIRef) and one != OWL.Class
    }
    return ", ".join(code(name) for name in sorted(names))


def _comment(graph: Graph, term: URIRef) -> str:
    return one_line(" ".join(sorted(str(text) for text in graph.objects(term, RDFS.comment))))


# ------------------------------------------------------------------------------------------------------------ examples


def verdicts_by_example() -> str:
    """The page with one example of each verdict, audited now."""
    groups: dict[str, list[list[str]]] = {}
    for example, answer in audited():
        if answer.verdict is not example.verdict:
            raise ProvchainError(f"the example of {example.verdict} is {answer.verdict}", hint="mend one of the two")
        says = answer.broken.why if answer.broken else answer.note
        row = [code(example.verdict.value), example.story, f"“{example.sentence}”", one_line(says)]
        groups.setdefault(answer.outcome.value, []).append(row)
    head = ["verdict", "what happened", "the report says", "provchain says"]
    sections = [f"## {_OUTCOMES[outcome]}\n\n" + table(head, rows) for outcome, rows in groups.items()]
    return page("Verdicts by example", _VERDICTS, [*sections, _STUDY_OUTCOMES])


_OUTCOMES = {
    "passed": "It holds",
    "failed": "It fails",
    "cantTell": "It cannot be told",
    "untested": "It could not be tested",
    "inapplicable": "It is no result of this study",
}
_VERDICTS = """
A verdict is the answer for one claim. Here is one small study for each, audited by the program that wrote this page. In most
of them the plan is to measure the mean of three values, and the report says that it is 4.183. Only what happened differs.

The rules that decide, and their order, stand under [Verdicts](../reference/verdicts.md).
"""
_STUDY_OUTCOMES = """
## From claims to a study

The verdicts of the results of a manuscript, its tables, figures and numbers in sections on results, give its outcome. The study
takes the worst of its manuscripts. The outcome says what a reader should do:

| outcome | action | in short |
| --- | --- | --- |
| `supported` | `accept` | all that is decided holds |
| `supported-with-deviations` | `accept` | it holds, and the report says where it left the plan |
| `mixed` | `review` | some of it fails, or the report hides that it left the plan |
| `undetermined` | `review` | too little could be decided |
| `unsupported` | `reject` | most of it fails, or a whole table does |
| `incomplete` | `report-incomplete` | something planned was never completed, the study says so, and no result fails |

[The exact table](../reference/verdicts.md#a-manuscript-and-a-study) gives their order. A claim that a person
[waives](../how-to/declare-links.md#waive-a-claim) is left out.
"""


# --------------------------------------------------------------------------------------------------------------- pages

PAGES: dict[str, Callable[[], str]] = {
    "explanation/verdicts-by-example.md": verdicts_by_example,
    "reference/claims-file.md": claims_file,
    "reference/command-line.md": command_line,
    "reference/events.md": events,
    "reference/policies.md": policies,
    "reference/queries.md": queries,
    "reference/report.md": report,
    "reference/study-files.md": study_files,
    "reference/vocabulary.md": vocabulary,
}


def main() -> int:
    """Write every page."""
    for name, text in PAGES.items():
        try:
            (DOCS / name).write_text(text(), encoding="utf-8")
        except ProvchainError as error:
            sys.stderr.write(f"{name}: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
