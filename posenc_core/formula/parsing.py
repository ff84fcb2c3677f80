"""Trees of typed formulas: Python's ``ast`` parses the text, and anything outside the list of operations is refused."""

import ast
from collections.abc import Collection
from functools import lru_cache

from msgspec import Struct

from posenc_core.formula.operations import CONSTANTS, FUNCTIONS
from posenc_core.formula.scanning import FormulaError, Word, words_of

DEEPEST = 40
"""Operations within each other."""

LONGEST_NAME = 24
MOST_PARAMETERS = 12

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


class Node(Struct, frozen=True):
    """A part of a formula: a ``number``, a ``name`` with its ``value``, or an operation of ``parts``."""

    kind: str
    parts: tuple["Node", ...] = ()
    name: str = ""
    value: float = 0.0

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a number or a name."""
        return not self.parts

    def names(self) -> tuple[str, ...]:
        """The names in the formula, each once, in their order."""
        inside = [name for part in self.parts for name in part.names()]
        return tuple(dict.fromkeys([self.name, *inside] if self.name else inside))


@lru_cache(maxsize=256)
def parsed_formula(text: str, variables: tuple[str, ...], reserved: tuple[str, ...] = ()) -> Node:
    """The tree of a formula of ``variables`` and parameters.

    FormulaError with a sentence and a place for anything else; ``reserved`` are names that no parameter may have.
    """
    words = words_of(text)
    source = " ".join(word.text for word in words)
    reader = _Reader(words, text, {*variables}, {*reserved})
    try:
        expression = ast.parse(source, mode="eval").body
        found = reader.node(expression, 0)
    except SyntaxError as error:
        raise reader.syntax_error(error) from None
    except (MemoryError, RecursionError):
        raise FormulaError(f"at most {DEEPEST} brackets may be nested", (0, len(text))) from None
    parameters = [name for name in found.names() if name not in variables]
    if len(parameters) > MOST_PARAMETERS:
        sentence = f"a formula has at most {MOST_PARAMETERS} parameters, got {len(parameters)}"
        raise FormulaError(sentence, (0, len(text)))
    return found


class _Reader:
    """Reads Python's tree into nodes; the columns of Python's text lead back to places of the typed one."""

    def __init__(self, words: list[Word], text: str, variables: set[str], reserved: set[str]) -> None:
        self._text, self._variables, self._reserved = text, variables, reserved
        self._places: list[Word] = []
        for word in words:
            self._places += [word] * (len(word.text) + 1)

    def node(self, tree: ast.expr, depth: int) -> Node:
        """The node of a tree that is ``depth`` operations within the formula."""
        if depth > DEEPEST:
            raise self._error(f"operations may be nested at most {DEEPEST} deep", tree)
        match tree:
            case ast.Constant(value=float(number)):
                return Node("number", value=number)
            case ast.Name(id=name):
                return self._named(name, tree)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.node(operand, depth + 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Node("neg", (self.node(operand, depth + 1),))
            case ast.BinOp(op=sign) if type(sign) in _BINARY:
                return Node(_BINARY[type(sign)], tuple(self.node(each, depth + 1) for each in (tree.left, tree.right)))
            case ast.Compare():
                return self._comparison(tree, depth)
            case ast.IfExp():
                parts = (tree.body, tree.test, tree.orelse)
                return Node("if", tuple(self.node(each, depth + 1) for each in parts))
            case ast.Call(keywords=[]):
                return self._call(tree, depth)
        raise self._error("a formula has no lists", tree)

    def _named(self, name: str, tree: ast.expr) -> Node:
        if name in CONSTANTS:
            return Node("name", name=name, value=CONSTANTS[name])
        if name in FUNCTIONS:
            raise self._error(f"{name} is a function: write {name}(...)", tree)
        if name in self._reserved and name not in self._variables:
            has = ", ".join(sorted(self._variables, key=str.lower))
            raise self._error(f"{name} has no meaning in this kind of formula, which has {has}", tree)
        if len(name) > LONGEST_NAME or name.startswith("_"):
            raise self._error(f"a name must start with a letter and have at most {LONGEST_NAME} characters", tree)
        return Node("name", name=name)

    def _comparison(self, tree: ast.Compare, depth: int) -> Node:
        """The comparison, or the product of a chain of comparisons such as ``0 < p < 3``."""
        sides = [self.node(each, depth + 2) for each in (tree.left, *tree.comparators)]
        signs = [_BINARY[type(each)] for each in tree.ops]
        links = [Node(sign, (sides[at], sides[at + 1])) for at, sign in enumerate(signs)]
        found = links[0]
        for link in links[1:]:
            found = Node("*", (found, link))
        return found

    def _call(self, tree: ast.Call, depth: int) -> Node:
        if not isinstance(tree.func, ast.Name) or tree.func.id not in FUNCTIONS:
            named = tree.func.id if isinstance(tree.func, ast.Name) else "this"
            raise self._error(f"{named} is not a function; the functions are {', '.join(FUNCTIONS)}", tree.func)
        name = tree.func.id
        least, most = FUNCTIONS[name].counts
        if not least <= len(tree.args) <= most:
            number = f"{least} number{'s' * (least > 1)}" if least == most else f"{least} to {most} numbers"
            raise self._error(f"{name} needs {number} in its brackets, got {len(tree.args)}", tree)
        return Node(name, tuple(self.node(each, depth + 1) for each in tree.args))

    def syntax_error(self, error: SyntaxError) -> FormulaError:
        """The fault at which Python stopped."""
        opened, closed = self._text.count("("), self._text.count(")")
        if opened > closed:
            place = self._text.rindex("(")
            return FormulaError("a bracket is not closed", (place, place + 1))
        word, last = self._places[min(max(1, error.offset or 1), len(self._places)) - 1], self._places[-1]
        if closed > opened or "unmatched" in error.msg:
            return FormulaError("a bracket is closed but not opened", (word.start, word.stop))
        if not (last.number is not None or last.text == ")" or last.text.isidentifier()) or last.text in ("if", "else"):
            return FormulaError(f'the formula ends after "{last.text}": a value is missing', (last.start, last.stop))
        sentence = f"{self._text[word.start : word.stop]} is not allowed at character {word.start + 1}"
        return FormulaError(sentence, (word.start, word.stop))

    def _error(self, sentence: str, tree: ast.expr) -> FormulaError:
        last = len(self._places) - 1
        first, stop = self._places[min(tree.col_offset, last)], self._places[min((tree.end_col_offset or 1) - 1, last)]
        return FormulaError(f"{sentence} (character {first.start + 1})", (first.start, stop.stop))


def parameters_of(node: Node, variables: Collection[str]) -> tuple[str, ...]:
    """The names of a formula that are neither variables nor constants."""
    return tuple(name for name in node.names() if name not in variables and name not in CONSTANTS)
