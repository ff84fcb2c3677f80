"""Ten thousand hostile expressions: each is a formula or a sentence, soon, and nothing of it is run."""

import random
import sys

import numpy as np
import pytest
from amounts import some

from posenc_core import Document
from posenc_core.encodings.formula.fields import RESERVED, VARIABLES
from posenc_core.formula import FormulaError, parsed_formula

PIECES = [
    "x", "p", "sin(", "__import__('os')", "exec", "eval(", "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "\n",
    "\x00", "\ud800", "**", "^", "10**10**10", "9" * 300, "1e308", ".", "..", "...", ",", ";", ":", ":=", "=",
    "==", "!", "!=", "<", ">=", "lambda", "if", "else", "for", "in", "is", "not", "and", "await", "yield", "None",
    "True", "0x", "1_0", "1j", "#", "@", "~", "|", "&", "//", "/", "%", "-", "+", "*", "*args", "**kw",
    "().__class__", "min(", "max(1,2", "e", "pi", "\u03c0", "\xb2", "x.y", "f''", "0", "007", "1e", "1e-",
    "if else", "sin", "sin()", "\t", " ", "\u202e", "\xe9", "_", "__", "class", "import os", "print(1)",
]  # fmt: skip


def hostile(drawn: random.Random) -> str:
    count = drawn.choice([1, 2, 3, 5, 8, 20, 200])
    return "".join(drawn.choices(PIECES, k=count))


def fault_of(text: str) -> FormulaError | None:
    """The fault of a formula of an entry, None for a text without one."""
    try:
        parsed_formula(text, VARIABLES["entry"], RESERVED)
    except FormulaError as error:
        return error
    return None


@pytest.mark.parametrize("seed", some(range(100), 5))
def test_hostile_expressions_are_formulas_or_sentences(seed):
    """100 each; what is a formula has numbers, and what is none leaves the document as it was."""
    drawn, before = random.Random(seed), set(sys.modules)
    document = Document().edited("family", "formula")
    for _ in range(100):
        text = hostile(drawn)
        fault = fault_of(text)
        if fault is not None:
            assert "\n" not in f"{fault}"
            first, stop = fault.place
            assert 0 <= first <= stop <= len(text)
            with pytest.raises(ValueError, match="formula"):
                document.edited("formula", text)
        else:
            shown = document.edited("formula", text).encoding
            assert np.isfinite(shown.values(np.array([0, 5]), np.arange(4))).all()
    assert not {name for name in set(sys.modules) - before if not name.startswith(("posenc", "numpy"))}
