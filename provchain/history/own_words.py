"""What a program printed itself, out of an output in which other commands of the same call show files or echo text.

`python train.py; cat notes.json; echo "accuracy 0.93"` answers in one stream. Lines that another command shows of a file, or
prints because they stand in the command, were not measured by the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from provchain.history.calls import RUNS, Call
from provchain.history.world import World, in_folder, match_paths
from provchain.shell import printed_text

__all__ = ["own_words"]

_VERBATIM = ("cat", "head", "tail", "grep", "egrep", "fgrep", "less", "more", "sed", "awk", "bat")


def own_words(output: str, calls: Sequence[Call], world: World, writer: str) -> str:
    """Take out of an output what is not the program's own.

    Args:
        output: Everything that came back.
        calls: All commands of the call.
        world: The files as they stand now.
        writer: Id of the execution: what it left itself may be shown.

    Returns:
        The output with foreign lines left empty, so that line numbers stay; nothing at all where files are shown in another
        form than they have, or cannot be known.
    """
    foreign: set[str] = set()
    for call in calls:
        if call.effect.kind == "look":
            said = printed_text(call.effect.argv, call.command.stdin_text) if call.effect.argv else None
            foreign.update(line.strip() for line in (said or "").split("\n"))
        if call.effect.kind in RUNS and not call.effect.shown:
            continue
        for path in _shown(call, world):
            artifact = world.current(path)
            if artifact is None or artifact.writer == writer:
                continue
            text = world.texts.get(artifact.id)
            if text is None and path in world.disk:
                text = world.disk[path].text
            if text is None or call.effect.argv[0].rpartition("/")[2] not in _VERBATIM:
                return ""
            foreign.update(line.strip() for line in text.split("\n"))
    foreign.discard("")
    if not foreign:
        return output
    return "\n".join("" if line.strip() in foreign else line for line in output.split("\n"))


def _shown(call: Call, world: World) -> set[str]:
    if not call.effect.shown:
        return set()
    known = list(world.paths())
    found: set[str] = set()
    for pattern in call.effect.shown:
        base = pattern.removesuffix("/**")
        found.update(match_paths(base, known))
        found.update(path for path in known if in_folder(path, base))
    return found
