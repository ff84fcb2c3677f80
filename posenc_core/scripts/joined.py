"""One Matplotlib script of several: each draws in a part of one figure, with its letter."""

import ast
import textwrap
from collections.abc import Mapping

from msgspec import Struct

from posenc_core.explain import NUMPY, Snippet
from posenc_core.scripts.snippets import PYPLOT, assembled

_WIDTH, _HEIGHT = 6.4, 4.8
"""Inches of a panel, Matplotlib's own."""

_OF_THE_FIGURE = ("figsize", "layout")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Sheet(Struct, frozen=True):
    """The paper of a figure: its width and height in inches, the size of text in points, and the caption."""

    inches: tuple[float, float]
    points: float
    caption: tuple[str, ...]


def joined_script(scripts: Mapping[str, str], grid: tuple[int, int], sheet: Sheet | None = None) -> str:
    """A script that draws the pictures of the panels' scripts, by name, in the rows and columns of one figure.

    Each script becomes a function with local variables; comments at the begin of all scripts move to the top. Without
    a ``sheet`` each panel has Matplotlib's own size, and there is no caption.
    """
    heads = [_head(script) for script in scripts.values()]
    shared = heads[0] if all(head == heads[0] for head in heads) else []
    imports, lines = {PYPLOT}, list[str]()
    for name, script in scripts.items():
        body = script.splitlines()[len(shared) :]
        imports |= {line for line in body if line.startswith(("import ", "from "))}
        drawn = "\n".join(_within_a_part(line) for line in _statements("\n".join(body)))
        lines += ["", f"def draw_{name}(fig):", *textwrap.indent(drawn, "    ").splitlines(), ""]
    rows, columns = grid
    draws = ", ".join(f"draw_{name}" for name in scripts)
    width, height = (_WIDTH * columns, _HEIGHT * rows) if sheet is None else sheet.inches
    lines += [
        "",
        *([] if sheet is None else [f"plt.rcParams.update({_text_sizes(sheet.points)})"]),
        f"fig = plt.figure(figsize=({width:.4g}, {height:.4g}), layout='constrained')",
        f"parts = fig.subfigures({rows}, {columns}, squeeze=False).flat",
        f"for letter, draw, part in zip({_LETTERS[: len(scripts)]!r}, ({draws},), parts):",
        "    draw(part)",
        "    part.suptitle(f'({letter}) {part.get_suptitle()}', x=0.02, ha='left', weight='bold')",
        *_caption_lines(() if sheet is None else sheet.caption),
        "plt.show()",
    ]
    return assembled(shared, Snippet(tuple(lines), tuple(imports - {NUMPY.imported})), NUMPY)


def _text_sizes(points: float) -> str:
    """All sizes of text in points, as parameters of Matplotlib."""
    sizes = {"figure.titlesize": "medium", "axes.titlesize": "medium", "legend.fontsize": "small"}
    return repr({"font.size": points, **sizes})


def _caption_lines(caption: tuple[str, ...]) -> list[str]:
    if not caption:
        return []
    written = [f"    {line!r}," for line in caption]
    look = "x=0.01, ha='left', fontsize='small', parse_math=False"
    return ["caption = [", *written, "]", f"fig.supxlabel('\\n'.join(caption), {look})"]


def _head(script: str) -> list[str]:
    """The comments at the begin of a script."""
    lines = script.splitlines()
    return lines[: next(index for index, line in enumerate(lines) if not line.startswith("#"))]


def _statements(script: str) -> list[str]:
    """The statements of a script, each with the comments and blank lines before it; without imports."""
    lines, found, start = script.splitlines(), list[str](), 0
    for node in ast.parse(script).body:
        assert node.end_lineno is not None
        text, start = "\n".join(lines[start : node.end_lineno]), node.end_lineno
        if not isinstance(node, ast.Import | ast.ImportFrom):
            found.append(text)
    return found


def _within_a_part(statement: str) -> str:
    """The statement for a part of a figure: its axes are made in ``fig``, which is there already."""
    (node,) = ast.parse(statement).body
    if isinstance(node, ast.Expr) and ast.unparse(node) == "plt.show()":
        return ""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return statement
    call, target = node.value, node.targets[0]
    made = ast.unparse(call.func)
    if made == "plt.figure":
        return ""
    if made != "plt.subplots":
        return statement
    assert isinstance(target, ast.Tuple)
    kept = [ast.unparse(each) for each in call.args]
    kept += [ast.unparse(each) for each in call.keywords if each.arg not in _OF_THE_FIGURE]
    return f"\n{ast.unparse(target.elts[1])} = fig.subplots({', '.join(kept)})"
