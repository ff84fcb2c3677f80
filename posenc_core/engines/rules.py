"""The form of the engines' answers, and the formulas that engines share."""

import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from posenc_core.encodings import Encoding, Rotary
from posenc_core.engines.facts import GENERIC, ClassFacts, class_facts, version_of
from posenc_core.engines.question import Question
from posenc_core.fields import shortened
from posenc_core.model_rules import odd_columns
from posenc_core.rope_scaling import FrequencyDivisors, Llama3, LongRope, RopeScaling, Yarn

SAME, DIFFERENT, REFUSES, UNKNOWN = "same", "different", "refuses", "unknown"
"""Verdicts on an engine beside the model's class."""

RUN, READ, REPORTED = "run", "read", "reported"
"""How a fact was found: the engine's own lines were run, its source was read, or somebody else said it."""


class Source(Struct, frozen=True):
    """The lines of an engine that decide: the project, its version, the file, and the function or class."""

    project: str
    version: str
    file: str
    function: str


class EngineResult(Struct, frozen=True, kw_only=True):
    """The computation of an engine for a kind of layers.

    ``mark`` is "run", "read" or "reported", empty where the lines for it were not read. ``encoding`` is None where the
    engine ``refuses`` the file, or where ``unknown`` says what was not read of it. Both are sentences. ``columns`` are
    those that it rotates, also where a head has fewer. ``holes``: positions whose angles are all 0. ``window``: tokens
    that a query sees, itself included. ``lengths`` says how lengths decide, ``arithmetic`` in which precision angles
    are computed, ``ignored`` what of the file has no effect, ``notes`` what else to know.
    """

    source: Source
    mark: str
    encoding: Encoding | None = None
    columns: int | None = None
    window: int | None = None
    holes: tuple[int, ...] = ()
    refuses: str = ""
    unknown: str = ""
    lengths: str = ""
    arithmetic: str = ""
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class RefusedError(ValueError):
    """The engine stops with an error, which the sentence quotes."""


class UnknownError(ValueError):
    """Nobody has read what the engine computes; the sentence says what was not read."""


Parameters = Mapping[str, Any]


def class_of(engine: str, question: Question) -> ClassFacts:
    """The facts of the engine's class for the model, Llama's for a file that names no model.

    UnknownError where the engine has no class for it, or none that was read.
    """
    named = question.architecture or question.values.model_type
    asked = (question.architecture, question.values.model_type) if named else (GENERIC, "llama")
    whole = class_facts(engine, question.architecture, question.whole_type)
    found = whole if engine == "mlx-lm" and whole is not None and whole.own else class_facts(engine, *asked)
    if found is None:
        raise UnknownError(f"no class for {shortened(named)} was read in {engine} {version_of(engine)}")
    return found


def layout_notes(question: Question, layout: str | None) -> tuple[str, ...]:
    """The note on a layout that was not read, or is not the class's: engines may permute weights to fit theirs."""
    own = question.rotation.pairing
    if layout == own:
        return ()
    if layout is None:
        return (f"the pair layout was not read: {own}, that of the model's class, is shown",)
    told = f"its call of the rotation names {layout} and the model's class has {own}"
    return (f"{told}; whether weights are permuted to fit was not read, and the class's layout is shown",)


def rotated(question: Question, base: Any, columns: int, scaling: RopeScaling | None) -> Rotary:
    """The rotation of so many columns of a head, in the layout of the model's class (see ``layout_notes``).

    An odd number of columns gives a pair more than half of them, with exponents over the odd number.
    """
    own = question.rotation
    if columns > own.head_dim:
        raise UnknownError(f"{columns:,} columns are to rotate, but a head has {own.head_dim}")
    base = float(base)
    if columns % 2:
        base, columns = odd_columns(base, columns)
    return Rotary(
        own.head_dim,
        base,
        own.pairing,
        None if columns == own.head_dim else columns,
        scaling,
        direction=own.direction,
        rotary_part=own.rotary_part,
    )


def needed(parameters: Parameters, key: str, error: str = "KeyError") -> Any:
    """The value of a key that the engine needs; RefusedError with the engine's own error where it is missing or null.

    Engines of Python compare the value with a number, which a null is not.
    """
    if key not in parameters:
        raise RefusedError(f"{error}: {key!r}")
    if parameters[key] is None:
        told = "TypeError: '<=' not supported between instances of 'NoneType' and 'int'"
        raise RefusedError(f"{told}: {key} is null")
    return parameters[key]


def magnitude(factor: float, mscale: float = 1.0) -> float:
    """YaRN's ``0.1 mscale ln(factor) + 1``, 1 for a factor of at most 1."""
    return 0.1 * mscale * math.log(factor) + 1 if factor > 1 else 1.0


def ratio(factor: float, mscale: float, mscale_all_dim: float) -> float:
    """DeepSeek's attention factor, the quotient of two magnitudes."""
    return magnitude(factor, mscale) / magnitude(factor, mscale_all_dim)


def yarn(
    parameters: Parameters, factor: Any, original: Any, amplitude: float, *, truncate: bool = True, softmax: Any = None
) -> Yarn:
    """YaRN with the betas of the parameters; ``softmax`` is the mscale_all_dim that also scales the softmax."""
    return Yarn(
        factor,
        original,
        parameters.get("beta_fast") or 32.0,
        parameters.get("beta_slow") or 1.0,
        amplitude,
        mscale_all_dim=softmax or None,
        truncate=truncate,
    )


def llama3(parameters: Parameters, **defaults: Any) -> Llama3:
    """The rule of Llama 3; a key without a default is needed."""
    keys = ("factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
    found = {key: parameters.get(key, defaults[key]) if key in defaults else needed(parameters, key) for key in keys}
    return Llama3(**found)


def longrope_amplitude(longest: Any, original: Any) -> float:
    """``sqrt(1 + ln(longest/original)/ln(original))``, 1 where nothing is extended."""
    if not isinstance(longest, int | float) or longest <= original:
        return 1.0
    return math.sqrt(1 + math.log(longest / original) / math.log(original))


def listed(parameters: Parameters, is_long: bool, original: Any, amplitude: float) -> LongRope:
    """One of LongRoPE's two lists, in the form that keeps both, with the engine's amplitude."""
    short, long = (needed(parameters, key) for key in ("short_factor", "long_factor"))
    return LongRope(short, long, original, original, None, amplitude, original + 1 if is_long else original)


def stretched(divisors: tuple[float, ...], amplitude: float = 1.0) -> FrequencyDivisors:
    """A divisor per pair."""
    return FrequencyDivisors(divisors, amplitude)


def ignored(parameters: Parameters, *keys: str) -> tuple[str, ...]:
    """Sentences on the keys that are given and have no effect."""
    return tuple(f"{key} {shortened(parameters[key])} has no effect" for key in keys if parameters.get(key) is not None)


def length_of(question: Question, name: str) -> int:
    """The length of the engine's own setting of that name, else the length asked for."""
    return int(question.settings.get(name, question.length))


class Advice(Struct, frozen=True):
    """The text to write, empty where none was found, where it goes, and what else is to know."""

    text: str
    where: str
    limit: str = ""


_COUNTED = {
    SAME: ("{} engine agrees", "{} engines agree"),
    DIFFERENT: ("{} differs", "{} differ"),
    REFUSES: ("{} refuses", "{} refuse"),
    UNKNOWN: ("{} not known", "{} not known"),
}
"""What is said of a number of engines, of one and of several."""


class EngineRow(Struct, frozen=True, kw_only=True):
    """An engine and a kind of layers: what it computes there, and where that parts from the model's class.

    ``verdict``: "same", "different", "refuses" or "unknown". ``differences`` are sentences. ``position`` and ``pair``
    are the first ones off by more than 45 degrees, None if no pair ever is. ``score_factor`` is the factor on scores
    beside the class's, ``unseen`` the number of pairs with angles that training did not show. None: not known.
    ``write`` is what makes the engine compute what the class does, where it does not. ``wanted`` is the encoding of the
    class, None for a GGUF file without a config.json.
    """

    engine: str
    layer_type: str
    indices: tuple[int, ...]
    computed: EngineResult
    verdict: str
    wanted: Encoding | None = None
    differences: tuple[str, ...] = ()
    position: int | None = None
    pair: int | None = None
    score_factor: float | None = None
    unseen: int | None = None
    write: Advice | None = None


class EngineTable(Struct, frozen=True):
    """The rows of all engines asked for, the length in tokens, and the day on which the facts were read."""

    rows: tuple[EngineRow, ...]
    length: int
    facts_read: str

    @property
    def agree(self) -> bool:
        """Whether every engine is known to compute what the class does."""
        return all(row.verdict == SAME for row in self.rows)

    @property
    def words(self) -> str:
        """One line: how many engines agree with the class in all layers, and from where on the others do not."""
        others = [row for row in self.rows if row.engine != "transformers"]
        found = {name: {row.verdict for row in others if row.engine == name} for name in {row.engine for row in others}}
        worst = [
            next(each for each in (DIFFERENT, REFUSES, UNKNOWN, SAME) if each in given) for given in found.values()
        ]
        counts = {verdict: worst.count(verdict) for verdict in _COUNTED}
        first = min((row.position for row in others if row.position is not None), default=None)
        from_there = "" if first is None else f" from position {first:,} on"
        told = [_COUNTED[verdict][count != 1].format(count) for verdict, count in counts.items() if count]
        return ", ".join(f"{each}{from_there}" if "differ" in each else each for each in told)
