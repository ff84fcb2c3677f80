"""The one immutable description of what is shown: sentence, tokens, encoding, embedding and view."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from msgspec import UNSET

from posenc_core.encodings import ENCODINGS, Encoding, Sinusoidal
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField
from posenc_core.session.session_schema import FORMAT, VERSION, read_record
from posenc_core.session.unknown_fields import DOCUMENT, UnknownFields
from posenc_core.tables import ArrayTable, HeldDigest, MissingTableError
from posenc_core.text import SENTENCE as SENTENCE  # with the other fields, for those who import them from here
from posenc_core.text import TOKENS, Embedding, KnownTokens, TextChange, TokenList

SEQ_LEN = IntegerField(
    name="seq_len",
    label="seq_le&n",
    help="Number of positions that the waves and the heatmap show.",
    default=60,
    minimum=1,
    maximum=10_000_000,
    unit="positions",
    synonyms="T, L, max_len, context_length, max_position_embeddings",
)

FAMILY = ChoiceField(
    name="family",
    label="fa&mily",
    help="The kind of positional encoding.",
    default=Sinusoidal.family,
    choices=tuple((name, kind.title) for name, kind in ENCODINGS.items()),
)

COLOR_MAP = ChoiceField(
    name="color_map",
    label="&Colours",
    help="Colours of the values: a diverging map around zero, or one that runs from dark to light.",
    default="diverging",
    choices=(
        ("diverging", "CET-D1A"),
        ("viridis", "viridis"),
        ("cividis", "cividis"),
        ("cyclic", "CET-C1, for angles"),
    ),
)

TRANSPOSE = FlagField(
    name="transpose",
    label="&Positions across",
    help="Draw the heatmap with the positions across and the columns down, as some books do.",
    default=False,
)

ANGLES = FlagField(
    name="angles",
    label="A&ngles of pairs",
    help="Show the angle of each pair, mod 2π, in the heatmap instead of its sine and cosine. Many angles in a pixel "
    "have the colour of their mean direction, grey where they spread over half a turn or more.",
    default=False,
)


@dataclass(frozen=True)
class View:
    """How the numbers are drawn, where that is the author's choice and not the window's."""

    color_map: str = "diverging"
    transpose: bool = False
    angles: bool = False

    FIELDS: ClassVar[tuple[Field, ...]] = (COLOR_MAP, TRANSPOSE, ANGLES)

    def __post_init__(self) -> None:
        """Every choice checked."""
        for each in self.FIELDS:
            object.__setattr__(self, each.name, each.check(getattr(self, each.name)))


@dataclass(frozen=True)
class Document:
    """Everything that a session file holds; two equal documents give the same pictures.

    Changed only by ``edited``, which returns another one. Errors are TypeError or ValueError with one sentence.
    Where the encoding has a parameter that the document has too, the length, it is the same one: it follows.
    """

    sentence: str = SENTENCE.default
    tokens: str = TOKENS.default
    seq_len: int = SEQ_LEN.default
    encoding: Encoding = field(default_factory=lambda: Sinusoidal(d_model=8))
    embedding: Embedding = field(default_factory=Embedding)
    view: View = field(default_factory=View)
    unknown: UnknownFields = field(default_factory=UnknownFields)

    OWN_FIELDS: ClassVar[tuple[Field, ...]] = (SENTENCE, TOKENS, SEQ_LEN)

    def __post_init__(self) -> None:
        """Every own field checked, the encoding given the same length; the parts have checked theirs."""
        for each in self.OWN_FIELDS:
            object.__setattr__(self, each.name, each.check(getattr(self, each.name)))
        own, parameters = self._own(), self.encoding.parameters()
        for name in own.keys() & parameters.keys():
            if own[name] != parameters[name]:
                object.__setattr__(self, "encoding", self.encoding.edited(name, own[name]))

    @property
    def token_list(self) -> TokenList:
        """The sentence's tokens; the token at index t is at position t."""
        return _KNOWN.of(self.sentence, self.tokens)

    def tokens_after(self, change: TextChange) -> TokenList:
        """``token_list``, found from the tokens of the last sentence, from which ``change`` leads to this one."""
        return _KNOWN.of(self.sentence, self.tokens, change)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field that can be edited now, the family and its parameters included."""
        own = {each.name for each in self.OWN_FIELDS}
        parameters = (each for each in self.encoding.fields if each.name not in own)
        return (*self.OWN_FIELDS, FAMILY, *parameters, *Embedding.FIELDS, *View.FIELDS)

    def value(self, name: str) -> Any:
        """The value of the field of that name; KeyError for an unknown one."""
        if name == FAMILY.name:
            return self.encoding.family
        part = self._part_with(name)
        if part == "encoding":
            return self.encoding.parameters()[name]
        return getattr(self if part is None else getattr(self, part), name)

    def edited(self, name: str, value: Any) -> "Document":
        """The document with one field changed; errors as the field's, KeyError for an unknown name.

        Any family can be chosen: it takes over what it has in common with the present one, as far as it allows it.
        """
        if name == FAMILY.name:
            return self.with_encoding(self._of_family(FAMILY.check(value)))
        part = self._part_with(name)
        if part is None:
            return replace(self, **{name: value})
        if part == "encoding":
            return self.with_encoding(self.encoding.edited(name, value))
        return replace(self, **{part: replace(getattr(self, part), **{name: value})})

    def with_encoding(self, encoding: Encoding) -> "Document":
        """The document with another encoding, which is given the length shown where it has a length of its own."""
        return replace(self, encoding=encoding)

    def _own(self) -> dict[str, Any]:
        """The document's own parameters by name."""
        return {each.name: getattr(self, each.name) for each in self.OWN_FIELDS}

    def _part_with(self, name: str) -> str | None:
        """The part that has the field: ``encoding``, ``embedding``, ``view``, or None for the document itself."""
        if any(each.name == name for each in self.OWN_FIELDS):
            return None
        if name in self.encoding.parameters():
            return "encoding"
        for part in ("embedding", "view"):
            if any(each.name == name for each in getattr(self, part).FIELDS):
                return part
        raise KeyError(name)

    def _of_family(self, family: str) -> Encoding:
        """An encoding of another family that keeps the parameters which both have, but for those it refuses."""
        kind, wanted = ENCODINGS[family], {**self.encoding.parameters(), **self._own()}
        try:
            return kind.from_parameters(wanted)
        except (TypeError, ValueError):
            encoding, kept = kind.from_parameters({}), dict[str, Any]()
        for name in wanted:  # one by one: an odd width may be refused, and the base beside it be fine
            with suppress(TypeError, ValueError):
                encoding = kind.from_parameters({**kept, name: wanted[name]})
                kept[name] = wanted[name]
        return encoding

    def to_dict(self) -> dict[str, Any]:
        """The session file as plain values."""
        session = {
            "format": FORMAT,
            "version": VERSION,
            **self._own(),
            "encoding": {"family": self.encoding.family, **self.encoding.parameters()},
            "embedding": _plain(self.embedding),
            "view": _plain(self.view),
        }
        return self.unknown.added_to(session)

    def to_json(self) -> str:
        """The session file: JSON with a schema version, plain ASCII."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    @property
    def tables(self) -> tuple[ArrayTable, ...]:
        """The tables from files that it shows, which a session names and does not hold."""
        held = self.encoding.parameters().values()
        return tuple(value.table for value in held if isinstance(value, HeldDigest))

    @classmethod
    def from_json(cls, data: str | bytes, tables: Iterable[ArrayTable] = ()) -> "Document":
        """The document of a session file; ValueError with one plain sentence for anything that is none.

        What a session leaves out has its default. A file's table that it names is looked for among ``tables``: no
        file is ever opened because a session says so.
        """
        record = read_record(data)
        open_tables = {table.digest: HeldDigest.of(table) for table in tables}
        try:
            kind = ENCODINGS[FAMILY.check(record.encoding.get("family", FAMILY.default))]
            own = [each.name for each in cls.OWN_FIELDS]
            encoding = kind.from_parameters(_with_tables(record.encoding, open_tables))
            return cls(
                **{name: value for name in own if (value := getattr(record, name)) is not UNSET},
                encoding=encoding,
                embedding=Embedding(**_known(Embedding.FIELDS, record.embedding)),
                view=View(**_known(View.FIELDS, record.view)),
                unknown=UnknownFields.of(record.whole, _known_names(encoding), encoding.family),
            )
        except MissingTableError:
            raise
        except (TypeError, ValueError) as error:
            raise ValueError(f"this session is damaged: {error}") from None


_KNOWN = KnownTokens()


def _with_tables(parameters: Mapping[str, Any], tables: Mapping[str, HeldDigest]) -> dict[str, Any]:
    """The parameters with each digest of a table that is open standing for it."""
    return {name: tables.get(value, value) if isinstance(value, str) else value for name, value in parameters.items()}


def _plain(part: Embedding | View) -> dict[str, Any]:
    return {each.name: getattr(part, each.name) for each in fields(part)}


def _known_names(encoding: Encoding) -> dict[str, set[str]]:
    """The names that each part of a session may hold; every field of the family, shown at present or not."""
    parameters = {each.name for own in encoding.FIELDS for each in own.every()} | encoding.parameters().keys()
    return {
        DOCUMENT: {"format", "version", *(each.name for each in Document.OWN_FIELDS), "encoding", "embedding", "view"},
        "encoding": {FAMILY.name, *parameters},
        "embedding": {each.name for each in Embedding.FIELDS},
        "view": {each.name for each in View.FIELDS},
    }


def _known(known: tuple[Field, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    return {each.name: given.get(each.name, each.default) for each in known}
