"""Fields of typed formulas: their texts, their kind, and the parameters that the texts name."""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

import posenc_core.formula as language  # whose parts are loaded when a formula is read
from posenc_core.fields import ChoiceField, Field, FiniteField, TextField, shortened
from posenc_core.formula import LONGEST

VARIABLES = {
    "entry": ("p", "c", "i", "d", "L", "b"),
    "angle": ("p", "i", "d", "L", "b"),
    "rotation": ("p", "i", "d", "L", "b"),
    "bias": ("n", "delta", "h", "H", "L", "b"),
}
"""The names with a fixed meaning, by the kind of formula."""

RESERVED = tuple(dict.fromkeys(name for names in VARIABLES.values() for name in names))

STARTS = {
    "entry": ("sin(p / b^(2*i/d))", "cos(p / b^(2*i/d))"),
    "angle": ("p / b^(2*i/d)", ""),
    "rotation": ("p / b^(2*i/d)", ""),
    "bias": ("-n * 2^(-8*(h + 1)/H)", ""),
}
"""The formulas that a kind starts with: sinusoids, RoPE and ALiBi."""

PREFIX = "parameter "
"""Beginning of the name of a parameter's field, which separates parameters from all other fields."""

_NAMES = (
    "p position, c column, i pair (c // 2), d width, L length, b base; of a bias n distance in tokens, delta = key - "
    "query, h head, H heads. Every other name becomes a parameter with a slider."
)
_FUNCTIONS = (
    "sin cos tan tanh exp log sqrt abs floor ceil round sign min max mod sigmoid triangle square, pi, e, "
    "+ - * / // % ^, comparisons, x if condition else y"
)


class FormulaField(TextField, frozen=True, kw_only=True):
    """A formula of ``variables`` and parameters, or an empty text if ``may_be_empty``."""

    maximum: int = LONGEST
    variables: tuple[str, ...] = RESERVED
    may_be_empty: bool = False

    kind: ClassVar[str] = "formula"
    bounds: ClassVar[str] = "a formula of at most {0.maximum} characters of " + _FUNCTIONS

    def check(self, value: Any, got: str | None = None) -> str:
        """The text; TypeError unless it is a str, ValueError with one sentence for anything but a formula."""
        if not isinstance(value, str):
            raise TypeError(f"{self.display_name} must be a text, got {shortened(value)}")
        self.tree(value)
        return value

    def tree(self, text: str) -> "language.Node | None":
        """The formula's tree, None for an empty text that is allowed; FormulaError with a sentence and a place."""
        if self.may_be_empty and not text.strip():
            return None
        try:
            return language.parsed_formula(text, self.variables, RESERVED)
        except language.FormulaError as error:
            raise language.FormulaError(f"{self.display_name}: {error}", error.place) from None

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The field with the variables of the kind; none for a second formula of a kind that has one."""
        kind = FORMULA_KIND.check(parameters.get(FORMULA_KIND.name, FORMULA_KIND.default))
        if self.may_be_empty and kind != "entry":
            return ()
        start = STARTS[kind][self.may_be_empty] if FORMULA.name not in parameters else self.default
        return (replace(self, variables=VARIABLES[kind], default=start),)


FORMULA = FormulaField(
    name="formula",
    help=f"The formula. Names: {_NAMES}",
    default=STARTS["entry"][0],
    synonyms="expression",
)

FORMULA_COS = FormulaField(
    name="formula_cos",
    label="&second",
    spoken="second (formula_cos)",
    help="The formula of the second column of each pair, the columns 1, 3, 5 ...; "
    "empty for one formula of all columns.",
    default="",
    may_be_empty=True,
)

FORMULA_KIND = ChoiceField(
    name="formula_kind",
    label="&kind",
    help="The number that the formula computes: an entry of the table, the angle of a pair, or a bias.",
    default="entry",
    choices=(
        ("entry", "the entry of column c at position p"),
        ("angle", "the angle of pair i at position p, added as sine and cosine"),
        ("rotation", "the angle of pair i at position p, which rotates queries and keys"),
        ("bias", "the bias of head h over n tokens, added to scores"),
    ),
    titles=("entry of a column", "angle, added as sin/cos", "angle, rotating q and k", "bias over distance"),
)


class ParametersField(Field, frozen=True, kw_only=True):
    """The numbers of the parameters that the formulas name, each with its own field; 1 by default."""

    kind: ClassVar[str] = "parameters"
    bounds: ClassVar[str] = "names of the formula with numbers"

    def check(self, value: Any, got: str | None = None) -> tuple[tuple[str, float], ...]:
        """Names with numbers; TypeError or ValueError with one sentence for anything else."""
        if not isinstance(value, tuple | list) or not all(isinstance(each, tuple) and len(each) == 2 for each in value):
            raise TypeError(self.refusal(value, got))
        return tuple((str(name), parameter_field(str(name)).check(number)) for name, number in value)

    def format(self, value: tuple[tuple[str, float], ...]) -> str:
        """The parameters in the form of the command line."""
        return " ".join(f"{name}={number:g}" for name, number in value)

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """A field for each name of the formulas."""
        return tuple(map(parameter_field, parameter_names(parameters)))

    def every(self) -> tuple[Field, ...]:
        """None, as formulas name them."""
        return ()

    def flat(self, value: tuple[tuple[str, float], ...]) -> dict[str, Any]:
        """The numbers by the names of their fields."""
        return {PREFIX + name: number for name, number in value}

    def from_parameters(self, parameters: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
        """The parameters that the formulas name."""
        return tuple((name, parameters.get(PREFIX + name, 1.0)) for name in parameter_names(parameters))


PARAMETERS = ParametersField(
    name="parameter",
    label="parameter",
    help="A parameter of the formula and its number, repeatable, such as alpha=0.5; default 1 for each.",
    default=(),
)


def parameter_field(name: str) -> FiniteField:
    """The field of the parameter of that name."""
    return FiniteField(
        name=PREFIX + name,
        label=name,
        help=f"The number {name} of the formula.",
        default=1.0,
        spoken=name,
        slider=(0.01, 100.0),
        logarithmic=True,
    )


def parameter_names(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of parameters in the formulas, each once; FormulaError for a text that is no formula."""
    found: dict[str, None] = {}
    shown = (field for each in (FORMULA, FORMULA_COS) for field in each.visible_fields(parameters))
    for field in shown:
        assert isinstance(field, FormulaField)
        text = parameters.get(field.name, field.default)
        tree = field.tree(field.check(text))
        if tree is not None:
            found |= dict.fromkeys(language.parameters_of(tree, field.variables))
    return tuple(found)
