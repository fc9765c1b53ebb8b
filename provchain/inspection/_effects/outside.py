"""What a script loads from outside the study, and the commands it starts."""

from __future__ import annotations

import posixpath
import re
import shlex

from provchain.inspection._effects.paths import WILD, show
from provchain.inspection._effects.values import (
    MISSING,
    Call,
    ListValue,
    Opaque,
    PathValue,
    alternatives,
    lift,
    texts,
)
from provchain.model import Role

__all__ = ["OUTSIDE_WORDS", "comes_from_outside", "command_call", "outside_call", "pretrained"]

_NAMED = re.compile(
    r"(?:datasets\.(?:load_dataset|load_dataset_builder)|evaluate\.load|tensorflow_datasets\.load|openml\.\w+\.get_\w+|"
    r"ucimlrepo\.fetch_ucirepo|sklearn\.datasets\.(?:load|fetch)_\w+|seaborn\.load_dataset|"
    r"(?:torchvision|torchtext|torchaudio|torch_geometric)\.datasets\.(?:\w+\.)?[A-Z]\w*|ogb\.\w+\.\w+|"
    r"(?:tensorflow\.)?keras\.datasets\.\w+\.load_data|(?:tensorflow\.)?keras\.applications\.\w+|torchvision\.models\.(?:\w+\.)*\w+|"
    r"requests\.(?:get|post|request)|httpx\.(?:get|post)|urllib\.request\.(?:urlopen|urlretrieve)|wget\.download|gdown\.download|"
    r"huggingface_hub\.\w+download|transformers\.pipeline|sentence_transformers\.\w+|timm\.create_model|torch\.hub\.load|"
    r"(?:openai|anthropic|cohere|mistralai|groq|together)\.(?:Async)?[A-Z]\w*(?:\.\w+)*|openai\.(?:chat|completions|embeddings)\.\w+\.?\w*|"
    r"google\.generativeai\.\w+|litellm\.\w*completion|vllm\.LLM|gensim\.downloader\.load|nltk\.download|spacy\.load|"
    r"kagglehub\.\w+|statsmodels\.datasets\.\w+|yfinance\.download|clip\.load|open_clip\.create_model\w*|whisper\.load_model|"
    r"transformers\.\w+\.from_pretrained|diffusers\.\w+\.from_pretrained)\Z"
)
_MADE_HERE = re.compile(
    r"sklearn\.datasets\.(?:make_\w+|load_svmlight_file|load_files)\Z|torchvision\.datasets\.(?:ImageFolder|FakeData)\Z"
)
_WITHOUT_NAME = ("openai.", "anthropic.", "torchvision.datasets.", "sklearn.datasets.")
_COMMANDS = frozenset(
    [
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "os.system",
        "os.popen",
        "asyncio.create_subprocess_shell",
        "sh.bash",
    ]
)
_SPREAD = frozenset(["asyncio.create_subprocess_exec", "os.execlp", "os.execl"])
OUTSIDE_WORDS = frozenset(
    [
        "load_dataset",
        "load_dataset_builder",
        "fetch_ucirepo",
        "fetch_openml",
        "urlopen",
        "urlretrieve",
        "from_pretrained",
        "pipeline",
        "SentenceTransformer",
        "create_model",
        "LLM",
        "completion",
        "OpenAI",
        "Anthropic",
        "AsyncOpenAI",
        "AsyncAnthropic",
        "ChatCompletion",
        "hf_hub_download",
        "snapshot_download",
        "download",
        "requests",
        "datasets",
        "openml",
        "keras",
        "nltk",
        "spacy",
        "gensim",
        "models",
        "get_dataset",
        "system",
        "popen",
        "run",
        "call",
        "check_call",
        "check_output",
        "Popen",
        "getoutput",
        "getstatusoutput",
        "create_subprocess_shell",
        "create_subprocess_exec",
        "messages",
        "completions",
    ]
)


def comes_from_outside(name: str) -> bool:
    """Whether a call of this dotted name loads something from outside the study."""
    return _NAMED.match(name) is not None


def outside_call(call: Call) -> object:
    """Report a call that loads something from outside the study, or give ``MISSING``."""
    if not _NAMED.match(call.name) or _MADE_HERE.match(call.name):
        return MISSING
    if call.name == "datasets.load_dataset" and _local_files(call):
        return Opaque(call.name)
    if call.name.startswith("torchvision.models.") and _is_empty(call.arg(0, "weights", "pretrained")):
        return Opaque(call.name)
    if call.name == "timm.create_model" and _is_empty(call.arg(1, "pretrained")):
        return Opaque(call.name)
    if call.name.startswith("sentence_transformers.") and not call.name.endswith(
        (".SentenceTransformer", ".CrossEncoder")
    ):
        return Opaque(call.name)
    if call.name.endswith(".from_pretrained"):
        return pretrained(call)
    named = call.arg(0, "path", "name", "url", "model", "model_name", "repo_id", "model_name_or_path", "id")
    second = call.arg(1, "name") if call.name == "datasets.load_dataset" else MISSING
    words = [text for value in (named, second) for text in _words(value)]
    if call.name.startswith(_WITHOUT_NAME) and "fetch_" not in call.name:
        model = call.arg(None, "model")
        words = _words(model)
    call.host.outside(f"{call.name}({', '.join(words)})")
    return Opaque(call.name)


def _is_empty(value: object) -> bool:
    """Whether an argument is not given, or given as nothing."""
    return value is MISSING or value is None or value is False


def _words(value: object) -> list[str]:
    """An argument as short words: alternatives are told apart by a bar."""
    if value is MISSING or value is None:
        return []
    shown = [show(text)[:80] for text in texts(value)[:4]]
    return ["|".join(shown)]


def _local_files(call: Call) -> bool:
    """``load_dataset("csv", data_files=...)`` reads files of the run."""
    files = call.arg(None, "data_files")
    if (
        files is MISSING
        or not isinstance(kind := call.arg(0, "path"), str)
        or kind not in ("csv", "json", "text", "parquet")
    ):
        return False
    items, _ = call.host.elements(files)
    for item in [files] if isinstance(files, (str, PathValue)) else items:
        call.host.emit("read", call.host.force(item), call.name, call.site, Role.DATA)
    return True


def pretrained(call: Call) -> object:
    """``from_pretrained``: a folder of the run is a checkpoint, anything else comes from outside."""
    value = call.arg(0, "pretrained_model_name_or_path", "model_name")
    owner = call.name.rpartition(".")[0].rpartition(".")[2]
    how = f"{owner}.from_pretrained" if owner else "from_pretrained"
    for one in alternatives(value):
        if one is MISSING or one is None:
            continue
        text = texts(one)[0]
        local = (
            isinstance(one, PathValue)
            or text.startswith((".", "/", "~"))
            or text.count("/") > 1
            or call.host.in_run(text)
        )
        if local and text != WILD:
            call.host.emit(
                "read", lift(lambda item: posixpath.join(texts(item)[0], WILD), one), how, call.site, Role.CHECKPOINT
            )
        else:
            call.host.outside(f"{how}({show(text)[:80]})")
    return Opaque(call.name)


def command_call(call: Call) -> object:
    """Report a command that is started, or give ``MISSING``."""
    if call.name in _SPREAD:
        words = [call.host.force(arg) for arg in call.args]
        _report(call, ListValue(list(words), more=call.open_ended))
        return Opaque(call.name)
    if call.name not in _COMMANDS:
        return MISSING
    for one in alternatives(call.arg(0, "args", "cmd", "command")):
        _report(call, one)
    return Opaque("subprocess.CompletedProcess")


def _report(call: Call, value: object) -> None:
    """Report one command, as argv words or as shell text; another working directory makes it shell text."""
    words: tuple[str, ...] | str
    if isinstance(value, ListValue):
        words = tuple(show(texts(call.host.force(item))[0]) for item in value.items) + (("*",) if value.more else ())
    else:
        words = show(texts(value)[0])
    folder = call.arg(None, "cwd")
    if folder is not MISSING and folder is not None:
        text = texts(folder)[0]
        if text != call.host.cwd:
            hidden = text.startswith("/\x01")  # a study root of unknown place: say it from the working directory
            place = show(posixpath.relpath(text, call.host.cwd) if hidden else text)
            words = f"cd {_quote(place)} && {words if isinstance(words, str) else ' '.join(map(_quote, words))}"
    call.host.command(call.site, words)


def _quote(word: str) -> str:
    """Quote a word for the shell, but leave unknown pieces readable."""
    return word if word and "*" in word and not set(word) & set(" '\"$`\\;&|<>()") else shlex.quote(word)
