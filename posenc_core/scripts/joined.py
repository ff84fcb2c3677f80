"""One Matplotlib script of several: each draws in a part of one figure, with its letter."""

import ast
import textwrap
from collections.abc import Mapping

from posenc_core.explain import NUMPY, Snippet
from posenc_core.scripts.snippets import PYPLOT, assembled

_WIDTH, _HEIGHT = 6.4, 4.8
"""Inches of a panel, Matplotlib's own."""

_OF_THE_FIGURE = ("figsize", "layout")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def joined_script(scripts: Mapping[str, str], grid: tuple[int, int]) -> str:
    """A script that draws what the scripts of panels draw, by name, in the rows and columns of one figure.

    Each script becomes a function, whose variables are its own; comments that all begin with stand at the top.
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
    lines += [
        "",
        f"fig = plt.figure(figsize=({_WIDTH * columns:.1f}, {_HEIGHT * rows:.1f}), layout='constrained')",
        f"parts = fig.subfigures({rows}, {columns}, squeeze=False).flat",
        f"for letter, draw, part in zip({_LETTERS[: len(scripts)]!r}, ({draws},), parts):",
        "    draw(part)",
        "    part.suptitle(f'({letter}) {part.get_suptitle()}', x=0.02, ha='left', weight='bold')",
        "plt.show()",
    ]
    return assembled(shared, Snippet(tuple(lines), tuple(imports - {NUMPY.imported})), NUMPY)


def _head(script: str) -> list[str]:
    """The comments that a script begins with."""
    lines = script.splitlines()
    return lines[: next(index for index, line in enumerate(lines) if not line.startswith("#"))]


def _statements(script: str) -> list[str]:
    """The statements of a script, each with the comments and blank lines before it; imports are left out."""
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
