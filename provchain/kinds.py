"""What a file of a run is, from its name, its place and its first bytes. General rules, no name of one run."""

from __future__ import annotations

import posixpath
import re

from provchain.model import Kind

__all__ = ["is_binary_name", "kind_of"]


def _suffixes(words: str) -> frozenset[str]:
    return frozenset(f".{word}" for word in words.split())


_FIGURES = _suffixes("png jpg jpeg gif svg eps webp bmp tif tiff pdf")
_CHECKPOINTS = _suffixes(
    "pt pth ckpt safetensors pkl pickle h5 hdf5 keras joblib onnx gguf pb tflite bin model msgpack"
)
_SCRIPTS = _suffixes(
    "py sh bash zsh r rmd ipynb jl m pl rb js mjs ts c cc cpp cu h hpp rs go java scala do sql ps1 lua smk nf"
)
_CONFIGS = _suffixes("yaml yml toml ini cfg conf env properties lock")
_LOGS = _suffixes("log out err")
_TABLES = _suffixes("json jsonl ndjson csv tsv xlsx xls")
_DATA = _suffixes("npz npy parquet feather arrow mat dat gz zip tar tgz bz2 xz 7z db sqlite wav mp3")
_TEXTS = _suffixes("md markdown tex rst docx html htm qmd adoc")
_BINARY = (_FIGURES - {".svg"}) | _CHECKPOINTS | _DATA | _suffixes("docx xlsx xls pyc so o exe ttf")

_CONFIG_NAMES = re.compile(
    r"requirements.*\.txt|environment.*\.ya?ml|setup\.cfg|package(-lock)?\.json|pipfile(\.lock)?|dockerfile.*|constraints.*\.txt|"
    r"(.*[-_.])?(config|configuration|settings|hparams|hyperparameters|params|parameters|args|options)([-_.].*)?\.jsonl?"
)
_SCRIPT_NAMES = re.compile(r"makefile|snakefile|justfile|gnumakefile|cmake_lists\.txt")
_LOG_NAMES = re.compile(
    r"log(s|file)?([-_.\d].*)?\.txt|(.*[-_.])?(log|logs|output|stdout|stderr|console|nohup|trace)([-_.\d].*)?\.txt"
)
_RESULT_FOLDERS = re.compile(
    r"(.*[-_])?(results?|outputs?|out|evals?|evaluations?|metrics|scores|predictions|runs?|experiments?|logs|reports?|"
    r"tables|artifacts|benchmarks?)([-_\d].*)?"
)
_RESULT_NAMES = re.compile(
    r"(.*[^a-z])?(results?|metrics?|scores?|evals?|evaluations?|predictions?|summary|summaries|history|benchmarks?|accuracy|"
    r"losses|comparisons?|ablations?|performance|statistics|stats|outcomes?)([^a-z].*)?"
)
_DATA_NAMES = re.compile(r"(.*[^a-z])?(train|test|val|valid|dev|data|dataset|corpus|samples|vocab)([^a-z].*)?")
# The last of these words says what a text is ("results_notes" are notes); the words of _VETO decide wherever they stand.
_MANUSCRIPT = re.compile(
    r"abstract|analys[ei]s|article|conclusions?|discussion|draft|evaluation|findings|manuscript|outcomes|paper|preprint|"
    r"reports?|results?|study|summary|thesis|writeup"
)
_OTHER_TEXT = re.compile(
    r"agents|card|changes|checklist|contributing|description|guide|guidelines|instructions?|logs?|notes|outline|overview|"
    r"plans?|prompt|references|bibliography|requirements|reviews?|rubric|setup|spec|template|todo|usage"
)
_VETO = re.compile(
    r"readme|change-?log|licen[cs]e|proposal|template|literature|related[-_ ]?works?|(?:lit|peer)[-_ ]?review|"
    r"(?:^|[-_ ])ideas?(?:$|[-_ ])|^tasks?$|^task[-_ ](?:description|summary|report)"
)
_PROPOSAL = re.compile(r"(^|[^a-z])(proposal|plan|ideas?|protocol|preregistration|prereg|hypothes[ei]s)([^a-z]|$)")
_TRACE_NAMES = re.compile(
    r"(claude|codex|gemini|agent|rollout|session|openhands|aider)[\w.-]*(output|log|trace|history|messages).*"
)
_TRACE_HEADS = re.compile(
    rb"\s*\[\s*\{\s*\"(?:role|content)\"\s*:|\[\d{4}-\d\d-\d\dT[\d:.]+Z?\] OpenAI Codex|"
    rb"\{\"(?:type|timestamp|sessionId|parentUuid|isSidechain)\"\s*:.{0,400}\"(?:session_meta|sessionId|session_id)\""
)


def is_binary_name(name: str) -> bool:
    """Say whether a file of that name is no text to search, whatever its bytes."""
    return posixpath.splitext(name.lower())[1] in _BINARY


def kind_of(path: str, head: bytes = b"") -> Kind:
    """Say what a file is.

    Args:
        path: Relative to the run, with forward slashes.
        head: Its first bytes.

    Returns:
        Its kind; ``OTHER`` where nothing tells.

    Example:
        >>> [kind_of(path).value for path in ("code/train.py", "results/metrics.json", "data/train.csv", "paper_v2.md")]
        ['script', 'result', 'data', 'manuscript']
        >>> kind_of("proposal.md").value, kind_of("log.txt").value, kind_of("model/best.pt").value
        ('proposal', 'log', 'checkpoint')
    """
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", posixpath.basename(path)).lower()
    stem, suffix = posixpath.splitext(name)
    folders = posixpath.dirname(path).lower().split("/")
    if suffix in (".json", ".jsonl", ".log", ".txt", "") and (_TRACE_HEADS.match(head) or _is_trace_name(name, suffix)):
        return Kind.TRACE
    if suffix == ".pdf" and _is_manuscript_stem(stem) and not _in_figures(folders):
        return Kind.MANUSCRIPT
    for kind, suffixes in ((Kind.FIGURE, _FIGURES), (Kind.CHECKPOINT, _CHECKPOINTS), (Kind.SCRIPT, _SCRIPTS)):
        if suffix in suffixes:
            return kind
    if head.startswith(b"#!") or _SCRIPT_NAMES.fullmatch(name):
        return Kind.SCRIPT
    if suffix in _CONFIGS or _CONFIG_NAMES.fullmatch(name):
        return Kind.CONFIG
    if suffix in _LOGS or _LOG_NAMES.fullmatch(name):
        return Kind.LOG
    if suffix in _TABLES:
        return _table_kind(stem, folders)
    if suffix in _DATA:
        return Kind.DATA
    if suffix in _TEXTS:
        return _text_kind(stem)
    if suffix == ".txt":
        if any(map(_RESULT_FOLDERS.fullmatch, folders)) or _RESULT_NAMES.fullmatch(stem):
            return Kind.RESULT
        return _text_kind(stem) if _PROPOSAL.search(stem) else Kind.DOCUMENT
    return Kind.DOCUMENT if name in ("license", "readme", "notice", "authors") else Kind.OTHER


def _is_trace_name(name: str, suffix: str) -> bool:
    return suffix in (".json", ".jsonl", ".log") and _TRACE_NAMES.fullmatch(name) is not None


def _in_figures(folders: list[str]) -> bool:
    return any(re.fullmatch(r"(figs?|figures?|plots?|images?|graphs?)", folder) for folder in folders)


def _is_manuscript_stem(stem: str) -> bool:
    if _VETO.search(stem):
        return False
    words = re.split(r"[^a-z]+", re.sub(r"write[-_]up", "writeup", stem))
    said = [word for word in words if _MANUSCRIPT.fullmatch(word) or _OTHER_TEXT.fullmatch(word)]
    return bool(said) and _MANUSCRIPT.fullmatch(said[-1]) is not None


def _table_kind(stem: str, folders: list[str]) -> Kind:
    """Tell results, data and settings apart: by the file's own name, then by the nearest folder that says something."""
    if _RESULT_NAMES.fullmatch(stem):
        return Kind.RESULT
    for folder in reversed(folders):
        if re.fullmatch(r"(.*[-_])?(configs?|conf|settings)([-_].*)?", folder):
            return Kind.CONFIG
        if re.fullmatch(r"(.*[-_])?(data|datasets?|corpus|corpora|inputs?)([-_\d].*)?", folder):
            return Kind.DATA
        if _RESULT_FOLDERS.fullmatch(folder):
            return (
                Kind.DATA if _DATA_NAMES.fullmatch(stem) and folder.startswith(("run", "experiment")) else Kind.RESULT
            )
    return Kind.DATA


def _text_kind(stem: str) -> Kind:
    if _is_manuscript_stem(stem):
        return Kind.MANUSCRIPT
    return Kind.PROPOSAL if _PROPOSAL.search(stem) else Kind.DOCUMENT
