"""The document: one immutable value of sentence, tokens, encoding, embedding and view."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from posenc_core.encodings import ENCODINGS, Encoding, Sinusoidal
from posenc_core.fields import SEQ_LEN, ChoiceField, Field, FlagField, Spec, check_all, made_from_accepted
from posenc_core.session.session_schema import FORMAT, PARTS, VERSION, read_record
from posenc_core.session.unknown_fields import DOCUMENT, UnknownFields
from posenc_core.tables import ArrayTable, HeldDigest, MissingTableError
from posenc_core.text import SENTENCE as SENTENCE  # with the other fields, for those who import them from here
from posenc_core.text import TOKENS, Embedding, KnownTokens, TextChange, TokenList

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
class View(Spec):
    """How the numbers are drawn, where that is part of the document and not of the window."""

    color_map: str = "diverging"
    transpose: bool = False
    angles: bool = False

    FIELDS: ClassVar[tuple[Field, ...]] = (COLOR_MAP, TRANSPOSE, ANGLES)


@dataclass(frozen=True)
class Document:
    """Everything that a session file holds; two equal documents give the same pictures.

    ``edited`` returns a changed copy. Errors are TypeError or ValueError with one sentence. An encoding that has a
    length of its own always has the document's.
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
        """Check the own fields, and give the encoding the document's length."""
        check_all(self, self.OWN_FIELDS)
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
        """The fields to edit now, with the family and its parameters."""
        own = self._own()
        parameters = (each for each in self.encoding.fields if each.name not in own)
        return (*self.OWN_FIELDS, FAMILY, *parameters, *Embedding.FIELDS, *View.FIELDS)

    def value(self, name: str) -> Any:
        """The value of the field of that name; KeyError for an unknown one."""
        if name == FAMILY.name:
            return self.encoding.family
        part = self._part_with(name)
        return self._own()[name] if part is None else self._parameters_of(part)[name]

    def edited(self, name: str, value: Any) -> "Document":
        """The document with one field changed; errors as the field's, KeyError for an unknown name.

        A new family takes over the parameters that it has in common with the present one and accepts.
        """
        if name == FAMILY.name:
            family = ENCODINGS[FAMILY.check(value)]
            wanted = {**self.encoding.parameters(), **self._own()}
            return self.with_encoding(made_from_accepted(family.from_parameters, {}, wanted))
        part = self._part_with(name)
        return replace(self, **({name: value} if part is None else {part: getattr(self, part).edited(name, value)}))

    def with_encoding(self, encoding: Encoding) -> "Document":
        """The document with another encoding, which takes the document's length if it has one of its own."""
        return replace(self, encoding=encoding)

    def _own(self) -> dict[str, Any]:
        """The document's own parameters by name."""
        return {each.name: getattr(self, each.name) for each in self.OWN_FIELDS}

    def _parameters_of(self, part: str) -> dict[str, Any]:
        parameters: dict[str, Any] = getattr(self, part).parameters()
        return parameters

    def _part_with(self, name: str) -> str | None:
        """The part of ``PARTS`` that has the field, None for the document itself; KeyError for an unknown name."""
        if name in self._own():
            return None
        for part in PARTS:
            if name in self._parameters_of(part):
                return part
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """The session file as plain values."""
        session = {"format": FORMAT, "version": VERSION, **self._own()}
        session |= {part: self._parameters_of(part) for part in PARTS}
        session["encoding"] = {FAMILY.name: self.encoding.family, **session["encoding"]}
        return self.unknown.added_to(session)

    def to_json(self) -> str:
        """The session file: JSON with a schema version, plain ASCII."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    @property
    def tables(self) -> tuple[ArrayTable, ...]:
        """The tables from files that the document shows; a session names them and does not hold them."""
        held = self.encoding.parameters().values()
        return tuple(value.table for value in held if isinstance(value, HeldDigest))

    @classmethod
    def from_json(cls, data: str | bytes, tables: Iterable[ArrayTable] = ()) -> "Document":
        """The document of a session file; ValueError with one sentence for anything else.

        What a session leaves out has its default. A table that it names must be among ``tables``: a session never
        makes the program open a file.
        """
        session = read_record(data)
        open_tables = {table.digest: HeldDigest.of(table) for table in tables}
        try:
            parameters = session.get("encoding", {})
            kind = ENCODINGS[FAMILY.check(parameters.get(FAMILY.name, FAMILY.default))]
            texts = {name: value for name, value in parameters.items() if isinstance(value, str)}
            tables_of = {name: open_tables[value] for name, value in texts.items() if value in open_tables}
            encoding = kind.from_parameters({**parameters, **tables_of})
            return cls(
                **{each.name: session[each.name] for each in cls.OWN_FIELDS if each.name in session},
                encoding=encoding,
                embedding=Embedding.from_parameters(session.get("embedding", {})),
                view=View.from_parameters(session.get("view", {})),
                unknown=UnknownFields.of(session, _known_names(encoding), encoding.family),
            )
        except MissingTableError:
            raise
        except (TypeError, ValueError) as error:
            raise ValueError(f"this session is damaged: {error}") from None


_KNOWN = KnownTokens()


def _known_names(encoding: Encoding) -> dict[str, set[str]]:
    """The names that each part of a session may hold, with all fields of the family, visible or not."""
    parameters = {each.name for own in encoding.FIELDS for each in own.every()} | encoding.parameters().keys()
    return {
        DOCUMENT: {"format", "version", *(each.name for each in Document.OWN_FIELDS), *PARTS},
        "encoding": {FAMILY.name, *parameters},
        "embedding": {each.name for each in Embedding.FIELDS},
        "view": {each.name for each in View.FIELDS},
    }
