"""Makes docs/python-reference.md of the package's docstrings.

python reference.py            fails if the page is not what the docstrings say
python reference.py --write    writes it
"""

import argparse
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import gpusched

PAGE = Path(__file__).parents[1] / "docs" / "python-reference.md"
HEAD = """\
# Reference of the Python package

<!-- Made of the docstrings of python-examples/src/gpusched. Change those, then run
python python-examples/reference.py --write -->

All names of `gpusched`, by what they are for. The [guide](python.md) shows how they go together.
"""
PARTS = {
    "Sessions": ["session", "configure", "find_jar"],
    "Java functions": ["register", "JavaFunction"],
    "Functions of your own": ["cuda_udf", "CudaUdf", "why_no_cuda"],
    "Watching the devices": [
        *("load_table", "LoadTable", "plot_load", "record_load", "LoadRecording"),
        *("progress", "block_spans", "plot_blocks", "diagnosis"),
    ],
    "Which jobs profit": ["advise", "Advice"],
    "Errors": [
        *("GpuSchedError", "SetupError", "ArgumentError", "CudaSourceError", "NotSupportedError"),
    ],
}


def page() -> str:
    """The page's text."""
    listed = [name for names in PARTS.values() for name in names]
    missing = set(gpusched.__all__) - set(listed)
    assert not missing, f"PARTS of reference.py lacks {missing}"
    parts = [HEAD]
    for title, names in PARTS.items():
        parts.append(f"## {title}\n")
        parts += [entry(name, getattr(gpusched, name)) for name in names]
    return "\n".join(parts)


def entry(name: str, value: Any) -> str:
    """One name: its signature, what it does, and for a class its own methods."""
    text = f"### {name}\n\n"
    if inspect.isclass(value):
        bases = [base.__name__ for base in value.__bases__ if base is not object]
        kinds = [base for base in bases if base != "ColumnFunction"]
        text += f"Derived from {' and '.join(f'`{kind}`' for kind in kinds)}. " if kinds else ""
        text += body(value)
        for method, function in members(value):
            text += f"\n#### {name}.{method}\n\n" + callable_text(method, function)
        return text
    return text + callable_text(name, value)


def members(value: type) -> list[tuple[str, Any]]:
    """Public methods and properties with docstrings, those of our base classes included."""
    found: dict[str, Any] = {}
    for base in value.__mro__:
        if base.__module__.startswith("gpusched"):
            for name, member in vars(base).items():
                if not name.startswith("_") and inspect.getdoc(member):
                    found.setdefault(name, member)
    return list(found.items())


def callable_text(name: str, value: Any) -> str:
    """A function's signature and docstring."""
    shown = "" if isinstance(value, property) else f"```\n{signature(name, value)}\n```\n\n"
    return shown + body(value)


def signature(name: str, value: Any) -> str:
    """As it is called; on several lines if it is long."""
    found = inspect.signature(value)
    parts = [
        str(p.replace(annotation=p.empty))
        for p in found.parameters.values()
        if p.name != "self" and p.kind is not p.KEYWORD_ONLY
    ]
    keywords = [p for p in found.parameters.values() if p.kind is p.KEYWORD_ONLY]
    parts += ["*"] * bool(keywords) + [str(p.replace(annotation=p.empty)) for p in keywords]
    line = f"{name}({', '.join(parts)})"
    return line if len(line) < 100 else f"{name}(\n    " + ",\n    ".join(parts) + ",\n)"


def body(value: Any) -> str:
    """A docstring as Markdown: its fields become lists."""
    doc = inspect.getdoc(value) or ""
    text = re.sub(r"``(.*?)``", r"`\1`", doc, flags=re.S)
    text = re.sub(r":(?:func|class|meth|data):`~?(.*?)`", r"`\1`", text)
    prose, *fields = re.split(r"^:", text, flags=re.M)
    lines = [" ".join(p.split()) for p in prose.strip().split("\n\n")]
    items = []
    for field in fields:
        kind, _, meaning = field.partition(":")
        word, _, name = kind.partition(" ")
        meaning = " ".join(meaning.split())
        items.append(
            f"- Raises `{name}` {meaning}" if word == "raises" else f"- `{name}`: {meaning}"
        )
    return "\n\n".join(lines) + ("\n\n" + "\n".join(items) if items else "") + "\n"


def main() -> int:
    """Compare or write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    text = page()
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != text:
        print(f"{PAGE.name} is not what the docstrings say: python reference.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
