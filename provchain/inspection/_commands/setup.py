"""Commands that prepare: packages, directories, variables, version control; and those that only ask about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from provchain.inspection._commands.words import program_name, word_set

__all__ = ["is_look", "is_setup"]

_SETUP = word_set(
    "mkdir chmod chown chgrp export cd pushd popd set unset alias unalias ulimit module shopt umask trap "
    "declare local readonly typeset return exit shift break continue bind enable disown fg bg exec hash "
    "mkfifo mktemp stty apt apt-get aptitude dpkg yum dnf apk brew pacman snap npm yarn pnpm npx gem "
    "cargo rustup go nvm pyenv virtualenv venv pip pip3 pipx conda mamba micromamba poetry pipenv pdm uv "
    "rye hatch pixi easy_install git hg svn gh ssh-keygen crontab systemctl service docker-compose direnv "
    "ldconfig update-alternatives locale-gen tmux screen huggingface-cli wandb dvc"
)
# program: subcommands that only tell something
_ASKS: dict[str, frozenset[str]] = {
    "pip": word_set("list show freeze check --version -V index search help inspect debug config cache"),
    "conda": word_set("list info env search --version config"),
    "git": word_set("status log diff show branch remote rev-parse ls-files blame describe tag config --version grep"),
    "apt": word_set("list show search policy"),
    "apt-get": frozenset(["--version"]),
    "dpkg": word_set("-l -L -s --list --status --version"),
    "npm": word_set("list ls view --version -v outdated"),
    "uv": word_set("--version version tree"),
    "poetry": word_set("show --version env check"),
    "go": word_set("version env list"),
    "cargo": word_set("--version tree search"),
    "docker": word_set("ps images version info inspect logs"),
    "huggingface-cli": word_set("whoami scan-cache env"),
    "wandb": frozenset(["status"]),
    "dvc": word_set("status dag diff metrics plots list"),
}
# program: subcommands that run or fetch something
_RUNS: dict[str, frozenset[str]] = {
    "huggingface-cli": frozenset(["download", "upload"]),
    "npm": word_set("run start test exec"),
    "yarn": word_set("run start test"),
    "cargo": word_set("run test bench build"),
    "go": word_set("run test build"),
    "npx": frozenset(),
    "dvc": word_set("repro exp pull run"),
    "wandb": word_set("agent sweep sync"),
}
_PIP = re.compile(r"pip[\d.]*")
_SETUP_MODULES = word_set("pip venv ensurepip virtualenv conda uv pipx nltk.downloader spacy")
_LOOK_MODULES = word_set("json.tool py_compile compileall site sysconfig platform this pydoc tabnanny")
_VERSION = (("--version",), ("-V",), ("-v",), ("--help",), ("-h",), ("version",), ("help",))


def is_look(argv: Sequence[str]) -> bool:
    """Say whether a command only asks: for a version, for what is installed, for the state of a repository.

    Example:
        >>> is_look(["pip", "list"]), is_look(["git", "log"]), is_look(["make", "--version"]), is_look(["make"])
        (True, True, True, False)
    """
    words, name = _named(argv)
    if name == "python -m":
        return words[0] in _LOOK_MODULES
    return words in _VERSION or (bool(words) and words[0] in _ASKS.get(name, ()))


def is_setup(argv: Sequence[str]) -> bool:
    """Say whether a command prepares the ground and leaves no result.

    Example:
        >>> is_setup(["pip3", "install", "numpy"]), is_setup(["python", "-m", "venv", "env"]), is_setup(["pip", "list"])
        (True, True, False)
    """
    words, name = _named(argv)
    if is_look(argv):
        return False
    if name == "python -m":
        return words[0] in _SETUP_MODULES
    if name in _RUNS and (not _RUNS[name] or (words and words[0] in _RUNS[name])):
        return False
    return name in _SETUP


def _named(argv: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Give the words after the program's name, and the name under which it is known here."""
    name = program_name(argv)
    words = tuple(argv[1:])
    if name == "python" and words[:1] == ("-m",):
        if words[1:2] == ("pip",):
            return words[2:], "pip"
        return words[1:] or ("",), "python -m"
    if name == "uv" and words[:1] == ("pip",):
        return words[1:], "pip"
    if name in ("mamba", "micromamba"):
        return words, "conda"
    return words, "pip" if _PIP.fullmatch(name) else name
