"""The two lengths of a longer context, and the scalings that lead from one to the other."""

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.fields import FARTHEST, Asked, ChoicesField, IntegerField, optional

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posenc_core.rope_scaling import RopeScaling
    from posenc_core.session.model import Model

USUAL_LENGTH = 4096
"""The trained length in tokens, Llama 2's, unless the user, a model or a scaling names one."""

USUAL_FACTOR = 4
"""Default of the target length over the trained length."""

_LONGEST = 10**9

TRAINED_LENGTH = optional(
    IntegerField(
        name="trained_length",
        label="trained length L",
        short="L",
        help="Length of the texts in training. None uses the opened model's, else that of the scaling, "
        f"else {USUAL_LENGTH:,}. The length in a file may exceed the longest text of the training.",
        default=USUAL_LENGTH,
        minimum=1,
        maximum=_LONGEST,
        step=1024,
        unit="tokens",
    )
)

TARGET_LENGTH = optional(
    IntegerField(
        name="target_length",
        label="target length L′",
        short="L′",
        help="Length at which the model is used. None uses the opened model's, else "
        f"{USUAL_FACTOR} times the trained length.",
        default=USUAL_FACTOR * USUAL_LENGTH,
        minimum=1,
        maximum=_LONGEST,
        step=1024,
        unit="tokens",
    )
)

LONGEST_DISTANCE = optional(
    IntegerField(
        name="longest_distance",
        label="longest distance",
        short="reach",
        help="The largest distance of a query and a key that attention sees: W − 1 with a sliding window or with "
        "chunks of W tokens. None: every distance in the text. An opened model's layer sets it.",
        default=USUAL_LENGTH - 1,
        minimum=0,
        maximum=FARTHEST,
        step=1024,
        unit="tokens",
    )
)


def _scalings() -> "Mapping[str, type[RopeScaling]]":
    from posenc_core.rope_scaling import SCALINGS  # imported on first use

    return SCALINGS


@lru_cache(maxsize=4)
def _comparable(kinds: "tuple[type[RopeScaling], ...]") -> tuple[tuple[str, str], ...]:
    """The scalings that two lengths determine, with their titles."""
    found = (kind for kind in kinds if kind.between(USUAL_LENGTH, USUAL_FACTOR * USUAL_LENGTH) is not None)
    return tuple((kind.rope_type, ", ".join(filter(None, (kind.title, kind.remark)))) for kind in found)


COMPARED_SCALINGS = ChoicesField(
    name="compared_scalings",
    label="compare",
    help="Scalings to draw beside the present encoding, each from L to L′.",
    default=("linear", "ntk", "yarn", "llama3"),
    choices=Asked(lambda: _comparable(tuple(_scalings().values()))),
)


class ContextLengths(Struct, frozen=True):
    """The trained length L and the target length L', in tokens.

    ``longest_distance`` is the largest distance of a query and a key that attention sees, None for every distance.
    """

    trained: int
    target: int
    longest_distance: int | None = None

    @property
    def factor(self) -> float:
        """L' over L."""
        return self.target / self.trained

    @property
    def is_bounded(self) -> bool:
        """Whether attention sees fewer distances than a text of the target length has."""
        return self.longest_distance is not None and self.longest_distance + 1 < self.target

    @property
    def seen(self) -> "ContextLengths":
        """The numbers of distances that attention sees in texts of the two lengths, 0 among them."""
        if self.longest_distance is None:
            return self
        most = self.longest_distance + 1
        return ContextLengths(min(self.trained, most), min(self.target, most), self.longest_distance)


class Compared(Struct, frozen=True):
    """An encoding under the title of its scaling; ``name`` is the compared scaling's, ``none`` or ``present``."""

    name: str
    title: str
    encoding: Encoding


class Comparison(Struct, frozen=True):
    """Encodings that differ in their scaling, the unscaled one first, and a sentence for each that cannot be."""

    encodings: tuple[Compared, ...]
    refusals: tuple[str, ...] = ()

    @property
    def present(self) -> Compared:
        """The one with the encoding's own scaling, if it has one, else the unscaled one."""
        return next((each for each in self.encodings if each.name == "present"), self.encodings[0])


def lengths_of(
    trained: int | None, target: int | None, longest_distance: int | None, model: "Model | None", encoding: Encoding
) -> ContextLengths:
    """The lengths that are given; a missing one of text is the model's, else follows from the scaling."""
    scaling = None if encoding.rotation is None else encoding.rotation.scaling
    original = None if scaling is None else scaling.original_length
    first = trained or (model.trained_length if model else None) or original or USUAL_LENGTH
    last = target or (model.target_length if model else None) or USUAL_FACTOR * first
    return ContextLengths(int(first), int(last), longest_distance)


def compared_scaling(name: str, lengths: ContextLengths) -> "RopeScaling":
    """The scaling of that name from L to L'. KeyError for an unknown name; ValueError if L' is below L."""
    if lengths.factor < 1:
        raise ValueError(
            f"target length {lengths.target:,} is below the trained length {lengths.trained:,}: a scaling needs "
            "a target length of at least the trained length"
        )
    scaling = _scalings()[name].between(lengths.trained, lengths.target)
    if scaling is None:
        raise KeyError(name)
    return scaling


@lru_cache(maxsize=8)
def compared_encodings(encoding: Encoding, names: tuple[str, ...], lengths: ContextLengths) -> Comparison:
    """The encoding without its scaling, and in a text of L' with its own, and with each from L to L' that it accepts.

    The encoding alone if its family has no scalings.
    """
    from posenc_core.encodings import at_length  # imported on first use

    rotation = encoding.rotation
    if rotation is None:
        return Comparison((Compared("none", encoding.title, encoding),))
    found, refusals = [Compared("none", "as trained", rotation.scaled_by(None))], dict[str, None]()
    if rotation.scaling is not None:
        found.append(Compared("present", f"{rotation.scaling.title}, present", at_length(encoding, lengths.target)))
    for name in names:
        try:
            scaling = compared_scaling(name, lengths)
            found.append(Compared(name, f"{scaling.title} ×{lengths.factor:.4g}", rotation.scaled_by(scaling)))
        except ValueError as error:
            refusals[str(error)] = None
    return Comparison(tuple(found), tuple(refusals))
