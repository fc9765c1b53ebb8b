"""Walk the syntax tree of a command text and note its simple commands in the order in which they start.

Follows what the shell itself decides: the working directory, variables, lists of loops, functions, redirects of groups.
Runs nothing, opens nothing, and is bounded in commands and depth.

Spec: https://www.gnu.org/software/bash/manual/bash.html#Shell-Commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tree_sitter import Node

from provchain.shell._builtins import InnerShell, State, evaluate, inner_shell, printed_text, run_builtin
from provchain.shell._context import Context, Streams
from provchain.shell._lex import Skeleton, read_skeleton
from provchain.shell._notes import file_redirect, join_nodes, localise, rebuild
from provchain.shell._syntax import Redirect
from provchain.shell._tree import Item, flatten, parse_skeleton, source_of
from provchain.shell._words import MOST, expand_braces, expand_text, expand_word

__all__ = ["Walker"]

_MOST_COMMANDS = 2_000
_MOST_PARSES = 500
_DEEPEST = 40  # compound commands inside each other
_DEEPEST_PARSE = 6  # substitutions inside each other
_SIMPLE = (
    "command",
    "declaration_command",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "test_command",
)
# They print nothing, so that the output of a group begins with the command after them.
_QUIET = frozenset(
    ["cd", "export", "set", "test", "[", "[[", "mkdir", "read", "unset", "local", "declare", "source", "."]
)
_COUNTING = re.compile(
    r"\(\(\s*(\w+)\s*=\s*(\d{1,6})\s*;\s*\1\s*(<=?)\s*(\d{1,6})\s*;\s*(?:\1\+\+|\+\+\1|\1\s*\+=\s*1)\s*\)\)"
)
_UNKNOWN = re.compile(r"[*?]|\$[\w({@*]|`")


@dataclass(slots=True)
class Walker:
    """Collect the simple commands of one command text."""

    commands: list[dict[str, Any]] = field(default_factory=list)
    complete: bool = True
    connector: str = ""
    pipelines: int = 0
    parses: int = 0
    nested: int = 0
    skeleton: Skeleton = field(default_factory=lambda: Skeleton("", ""))
    functions: dict[str, tuple[Node, Skeleton]] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    calls: int = 0

    # ---------------------------------------------------------------------------------------------- whole texts

    def walk(self, text: str, state: State) -> None:
        """Note the commands of a text, and then those of functions that it defines and never calls."""
        self._text(text, state, Context())
        for name, (body, skeleton) in list(self.functions.items()):
            if name not in self.called:
                branch = state.fork()
                branch.scope.positional = None
                self.skeleton = skeleton
                self._unit(Item("", body), branch, Context(guarded=True, visible=False, depth=1))

    def _text(self, text: str, state: State, context: Context) -> None:
        self.parses += 1
        outer, self.skeleton = self.skeleton, read_skeleton(text)
        roots = list(parse_skeleton(self.skeleton.text))
        self.complete = self.complete and None not in roots
        statements = [child for root in roots if root is not None for child in root.children]
        self._block(statements, state, context)
        self.skeleton = outer

    def _substitution(self, text: str, state: State, context: Context) -> str | None:
        """Note the commands of a substitution; give its answer if words alone decide it."""
        if self.nested >= _DEEPEST_PARSE or self.parses >= _MOST_PARSES:
            self.complete = False
            return None
        start, connector, self.connector = len(self.commands), self.connector, ""
        self.nested += 1
        inner = replace(context, visible=False, substituted=True, streams=(), depth=context.depth + 1)
        branch = state.fork()
        self._text(text, branch, inner)
        self.nested -= 1
        self.connector = connector
        state.bind(self._substitute_in(state, context))
        answer = evaluate(self.commands[start:])
        if answer is not None:
            del self.commands[start:]
        return answer

    def _substitute_in(self, state: State, context: Context) -> Any:
        return lambda text: self._substitution(text, state, context)

    # -------------------------------------------------------------------------------------- statements and lists

    def _block(self, nodes: Iterable[Node], state: State, context: Context) -> None:
        """Note statements that stand one after the other."""
        statements: list[tuple[Node, str, str]] = []
        separator = ""
        for node in nodes:
            if node.type in (";", "&", ";;", ";&", ";;&"):
                separator = ";"
                if node.type == "&" and statements:
                    statements[-1] = (statements[-1][0], statements[-1][1], "&")
            elif node.is_named and node.type not in ("comment", "heredoc_body"):
                statements.append((node, separator, ""))
                separator = ""
        for index, (node, before, after) in enumerate(statements):
            if index:
                self.connector = before
            last = index == len(statements) - 1
            visible = context.visible and after != "&" and (last or state.errexit)
            inner = replace(context, visible=visible, background=context.background or after == "&")
            self._list(flatten(node), state.fork() if after == "&" else state, inner)

    def _list(self, items: list[Item], state: State, context: Context) -> None:
        """Note an and-or list, pipeline by pipeline."""
        pipelines: list[list[Item]] = []
        for item in items:
            if pipelines and item.operator in ("|", "|&"):
                pipelines[-1].append(item)
            else:
                pipelines.append([item])
        last_or = max((number for number, stages in enumerate(pipelines) if stages[0].operator == "||"), default=0)
        guarded = False
        for number, stages in enumerate(pipelines):
            operator = stages[0].operator
            if operator:
                self.connector = operator
            guarded = guarded or operator == "||"
            visible = context.visible and number >= last_or and not stages[0].negated
            inner = replace(context, guarded=context.guarded or guarded, visible=visible)
            if operator == "||":
                branch = state.fork()
                self._pipeline(stages, branch, inner)
                state.merge([state.fork(), branch], keep_cwd=True)
            else:
                self._pipeline(stages, state, inner)

    def _pipeline(self, stages: list[Item], state: State, context: Context) -> None:
        number, self.pipelines = self.pipelines, self.pipelines + 1
        starts: list[int] = []
        for position, item in enumerate(stages):
            last = position == len(stages) - 1
            if position:
                self.connector = item.operator
            starts.append(len(self.commands))
            visible = context.visible and (last or state.pipefail)
            inner = replace(context, pipeline=number, position=position, last=last, visible=visible)
            if not last and stages[position + 1].operator == "|&":
                inner = replace(inner, both=True)
            self._unit(item, state.fork() if len(stages) > 1 else state, inner)
        starts.append(len(self.commands))
        for position in range(len(stages) - 1):
            reader = next(
                (n for n in range(starts[position + 1], starts[-1]) if not self.commands[n]["substituted"]), None
            )
            for command in self.commands[starts[position] : starts[position + 1]]:
                if command["pipes_to"] is None and command["substituted"] == context.substituted:
                    command["pipes_to"] = reader
            if reader is not None and starts[position + 1] - starts[position] == 1:
                self._hand_over(self.commands[starts[position]], self.commands[reader])

    @staticmethod
    def _hand_over(writer: dict[str, Any], reader: dict[str, Any]) -> None:
        """Give a command the text that the one before it prints, where that is in its words."""
        if reader["stdin_text"] is None and not any(one.op.startswith(">") for one in writer["redirects"]):
            reader["stdin_text"] = printed_text(writer["argv"], writer["stdin_text"])
            reader["stdin_verbatim"] = writer["stdin_verbatim"] and not _UNKNOWN.search(reader["stdin_text"] or "")

    # ---------------------------------------------------------------------------------------- compound commands

    def _unit(self, item: Item, state: State, context: Context) -> None:
        """Note one command, simple or compound."""
        node = item.node
        if len(self.commands) >= _MOST_COMMANDS or context.depth > _DEEPEST:
            self.complete = False
            return
        if node is None or node.type in _SIMPLE:
            self._simple(item, state, context)
            return
        state.bind(self._substitute_in(state, context))
        inner = replace(context, depth=context.depth + 1)
        if item.redirects:
            streams = Streams([])
            for redirect in item.redirects:
                self._redirect(redirect, streams, state)
            inner = replace(inner, streams=(*inner.streams, streams))
        self._compound(node, state, inner)

    def _compound(self, node: Node, state: State, context: Context) -> None:
        kind = node.type
        if kind == "subshell":
            self._block(node.children[1:], state.fork(), context)
        elif kind == "compound_statement":
            if node.children and node.children[0].type != "((":
                self._block(node.children, state, context)
        elif kind == "if_statement":
            self._if(node, state, context)
        elif kind == "while_statement":
            branch = state.fork()
            condition = [child for child in node.children[1:] if child.type != "do_group"]
            self._block(condition, branch, replace(context, visible=False))
            self._body(node, branch, replace(context, guarded=True))
            state.merge([state.fork(), branch])
        elif kind in ("for_statement", "c_style_for_statement"):
            self._for(node, state, context)
        elif kind == "case_statement":
            branches = [state.fork()]
            for child in node.children:
                if child.type == "case_item":
                    branches.append(state.fork())
                    closing = next((n for n, part in enumerate(child.children) if part.type == ")"), 0)
                    self._block(child.children[closing + 1 :], branches[-1], replace(context, guarded=True))
            state.merge(branches)
        elif kind == "function_definition":
            name = next((source_of(child) for child in node.children if child.type == "word"), "")
            body = next((child for child in node.children if child.type in ("compound_statement", "subshell")), None)
            if body is not None:
                self.functions[self.skeleton.restore(name)] = (body, self.skeleton)
        else:  # what the grammar could not read, or a kind that holds statements we do not know
            self._block(node.children, state, context)

    def _if(self, node: Node, state: State, context: Context) -> None:
        branches: list[State] = []
        guarded = replace(context, guarded=True)
        parts: list[tuple[list[Node], list[Node], bool]] = []
        for number, clause in enumerate(
            [node, *[n for n in node.children if n.type in ("elif_clause", "else_clause")]]
        ):
            own = [child for child in clause.children if child.type not in ("elif_clause", "else_clause")]
            then = next((n for n, child in enumerate(own) if child.type == "then"), 0)
            parts.append((own[1:then] if then else [], own[then + 1 :], number > 0))
        for condition, body, later in parts:
            if condition:
                self._block(condition, state, replace(guarded if later else context, visible=False))
            branches.append(state.fork())
            self._block(body, branches[-1], guarded)
        if not any(child.type == "else_clause" for child in node.children):
            branches.append(state.fork())
        state.merge(branches)

    def _body(self, node: Node, state: State, context: Context) -> None:
        for child in node.children:
            if child.type in ("do_group", "compound_statement"):
                self._block(child.children, state, context)

    def _for(self, node: Node, state: State, context: Context) -> None:
        """Unroll a loop over words that are known; any other body is noted once."""
        state.bind(self._substitute_in(state, context))
        name = next((source_of(child) for child in node.children if child.type == "variable_name"), "")
        words = list(self._values(node, state))
        if node.type == "c_style_for_statement":
            found = _COUNTING.search(source_of(node))
            if found:
                name = found[1]
                last = int(found[4]) + (found[3] == "<=")
                words = [str(number) for number in range(int(found[2]), min(last, int(found[2]) + MOST))]
        if not words:
            state.scope.values.pop(name, None)
            branch = state.fork()
            self._body(node, branch, replace(context, guarded=True))
            state.merge([state.fork(), branch])
            return
        for number, word in enumerate(words[:MOST]):
            unknown = _UNKNOWN.search(word) is not None
            state.scope.lists.pop(name, None)
            if unknown and word.startswith(("$", "`")):
                state.scope.values.pop(name, None)
            else:
                state.scope.values[name] = word
            visible = context.visible and (number == len(words) - 1 or state.errexit)
            self._body(
                node, state, replace(context, unrolled=True, guarded=context.guarded or unknown, visible=visible)
            )

    def _values(self, node: Node, state: State) -> Iterator[str]:
        if node.type != "for_statement":
            return
        if not any(child.type == "in" for child in node.children):
            yield from state.scope.look_up("@") or ()
            return
        after = next(n for n, child in enumerate(node.children) if child.type == "in")
        for raw in join_nodes(child for child in node.children[after + 1 :] if child.type not in (";", "do_group")):
            yield from self._words(raw, state)

    # ------------------------------------------------------------------------------------------ simple commands

    def _words(self, raw: str, state: State) -> list[str]:
        """Expand one word of the skeleton."""
        words: list[str] = []
        for one in expand_braces(raw):
            restored = self.skeleton.restore(one)
            if restored.startswith(("<(", ">(")):
                state.scope.substitute(restored[2:].removesuffix(")"))
            words += expand_word(restored, state.scope)
        return words

    def _simple(self, item: Item, state: State, context: Context) -> None:
        state.bind(self._substitute_in(state, context))
        own = Streams([])
        assignments, raws = self._parts(item, state, own)
        argv = [word for raw in raws for word in self._words(raw, state)]
        if argv and argv[0] in self.functions and self.calls < 4 and not assignments:
            self._call(argv, state, replace(context, streams=(*context.streams, own)))
            return
        group = [*state.streams, *context.streams]
        redirects = [one for streams in (*group, own) for one in streams.redirects]
        redirects += [Redirect("2", ">&", "&1")] * context.both
        stdin = next((streams.stdin for streams in (own, *reversed(group)) if streams.stdin), None)
        reader = next((streams.reader for streams in (own, *reversed(group)) if streams.reader is not None), None)
        if not (argv or assignments or redirects):
            return
        inner = inner_shell(argv, stdin[0] if stdin else None) if argv else None
        if inner is not None and self._started(inner, assignments, own, state, context):
            return
        for streams in group if argv and argv[0] not in _QUIET else ():
            streams.appended()
        argv = [localise(word, state.cwd) for word in argv]
        redirects = [Redirect(one.fd, one.op, localise(one.target, state.cwd)) for one in redirects]
        text = rebuild(argv, assignments, redirects) if context.unrolled and argv else self._source(item)
        self.commands.append(
            {
                "text": localise(text, state.cwd),
                "argv": tuple(argv),
                "assignments": tuple((name, localise(value, state.cwd)) for name, value in assignments),
                "cwd": state.cwd,
                "connector": self.connector,
                "background": context.background,
                "pipeline": context.pipeline,
                "position": context.position,
                "stdin_text": stdin[0] if stdin else None,
                "redirects": tuple(redirects),
                "guarded": context.guarded,
                "last_in_pipeline": context.last,
                "pipes_to": reader,
                "hides_status": not context.visible,
                "substituted": context.substituted,
                "stdin_verbatim": stdin[1] if stdin else True,
            }
        )
        self.connector = ""
        if not argv:
            for name, value in assignments:
                state.remember(name, value)
        elif argv == ["exec"]:
            state.streams = (*state.streams, own)
        else:
            run_builtin(argv, state)

    def _parts(self, item: Item, state: State, own: Streams) -> tuple[list[tuple[str, str]], list[str]]:
        """Sort the children of a command into assignments, words and redirects."""
        assignments: list[tuple[str, str]] = []
        raws: list[str] = []
        node = item.node
        if node is not None and node.type == "test_command":
            raws = source_of(node).split()
        elif node is not None:
            children = [node] if node.type == "variable_assignment" else node.children
            plain: list[Node] = []
            for child in children:
                if child.type.endswith("_redirect"):
                    raws += self._redirect(child, own, state)
                elif child.type == "variable_assignment":
                    assigned = self._assign(child, state)
                    if assigned and node.type == "declaration_command":
                        state.remember(*assigned)
                        plain.append(child)
                    elif assigned:
                        assignments.append(assigned)
                elif child.type == "subshell":
                    self._unit(Item("", child), state, Context(guarded=True, visible=False))
                else:
                    plain.append(child)
            raws = join_nodes(plain) + raws
        for redirect in item.redirects:
            raws += self._redirect(redirect, own, state)
        return assignments, raws

    def _assign(self, node: Node, state: State) -> tuple[str, str] | None:
        """Read ``NAME=value``; a list is noted in the scope and gives nothing."""
        name, _, raw = source_of(node).partition("=")
        array = next((child for child in node.children if child.type == "array"), None)
        added = name.endswith("+")
        name = name.removesuffix("+")
        if array is not None:
            words = [word for value in join_nodes(array.children[1:-1]) for word in self._words(value, state)]
            state.scope.lists[name] = (*(state.scope.lists.get(name, ()) if added else ()), *words)
            state.scope.values.pop(name, None)
            return None
        value = expand_text(self.skeleton.restore(raw), state.scope)
        if added:
            value = state.scope.values.get(name, f"${name}") + value
        return name, value

    def _redirect(self, node: Node, streams: Streams, state: State) -> list[str]:
        """Note a redirect; give the raw words that the grammar took for further targets."""
        descriptor, operator = "", ""
        plain: list[Node] = []
        for child in node.children:
            if child.type == "file_descriptor":
                descriptor = source_of(child)
            elif not child.is_named and not operator:
                operator = source_of(child)
            else:
                plain.append(child)
        raws = join_nodes(plain)
        target = raws[0] if raws else ""
        document = self.skeleton.document(target)
        restored = self.skeleton.restore(target)
        if document is not None:
            streams.redirects.append(Redirect(descriptor or "0", "<<", ""))
            streams.stdin = (document.text, document.verbatim)
        elif operator == "<<<":
            streams.redirects.append(Redirect(descriptor or "0", "<<<", ""))
            text = expand_text(restored, state.scope)
            streams.stdin = (text + "\n", not _UNKNOWN.search(text) or "'" in restored[:2])
        elif restored.startswith((">(", "<(")):
            start = len(self.commands)
            state.scope.substitute(restored[2:].removesuffix(")"))
            if restored[0] == ">" and len(self.commands) > start:
                streams.reader = start
        else:
            streams.redirects.append(file_redirect(descriptor, operator, expand_text(restored, state.scope)))
        return raws[1:]

    def _call(self, argv: list[str], state: State, context: Context) -> None:
        """Note the body of a function where it is called, with its arguments."""
        body, skeleton = self.functions[argv[0]]
        self.called.add(argv[0])
        outer, self.skeleton = self.skeleton, skeleton
        positional, state.scope.positional = state.scope.positional, ("", *argv[1:])
        self.calls += 1
        inner = replace(context, depth=context.depth + 1, unrolled=True)
        self._compound(body, state, inner)
        self.calls -= 1
        state.scope.positional, self.skeleton = positional, outer

    def _started(
        self, inner: InnerShell, assignments: list[tuple[str, str]], own: Streams, state: State, context: Context
    ) -> bool:
        """Note the commands of a text that a command hands to a shell; say whether there are any."""
        if self.nested >= _DEEPEST_PARSE or self.parses >= _MOST_PARSES:
            return False
        branch = state if inner.same else state.fork()
        if not inner.same:
            branch.scope.values.update(assignments)
            branch.scope.positional = inner.arguments
            branch.errexit, branch.pipefail = inner.errexit, False
        start = len(self.commands)
        self.nested += 1
        self._text(inner.text, branch, replace(context, streams=(*context.streams, own), depth=context.depth + 1))
        self.nested -= 1
        return len(self.commands) > start

    def _source(self, item: Item) -> str:
        nodes = [node for node in (item.node, *item.redirects) if node is not None]
        ordered = sorted(nodes, key=lambda node: node.start_byte)
        return self.skeleton.restore(" ".join(source_of(node) for node in ordered))
