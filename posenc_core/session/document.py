"""The document: one immutable value of sentence, tokens, encoding, embedding and view."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from posenc_core import text
from posenc_core.encodings import ENCODINGS, GRID, Encoding, Grid, Sinusoidal, patches_of
from posenc_core.fields import SEQ_LEN, Field, MissingFileError, check_all, made_from_accepted
from posenc_core.numerics import FloatArray
from posenc_core.session.context import ContextLengths, lengths_of
from posenc_core.session.named_encodings import (
    ENCODINGS_PART,
    LETTERS,
    NamedEncoding,
    checked_count,
    checked_name,
    checked_source,
    encodings_of_plain,
    name_beside,
    plain_encodings,
    seen_encodings,
    with_chosen,
)
from posenc_core.session.options import PANELS, Options, option_fields, option_named
from posenc_core.session.stored_parts import (
    FAMILY,
    PARTS,
    TOKENIZER,
    by_digest,
    check_rows,
    embedding_of_plain,
    encoding_of_plain,
    plain_encoding,
    plain_tokenizer,
    tables_shown,
    tokenizer_of_plain,
    wanted_parameters,
)
from posenc_core.session.unknown_fields import UnknownFields
from posenc_core.session.view import View
from posenc_core.text import (
    MODEL_TOKENS,
    SPECIAL_TOKENS,
    TOKENS,
    Embedding,
    EmbeddingRows,
    KnownTokens,
    TextChange,
    Token,
    TokenList,
)
from posenc_core.text import SENTENCE as SENTENCE

if TYPE_CHECKING:
    from posenc_core.session.model import Model
    from posenc_core.tables import ArrayTable


@dataclass(frozen=True)
class Document:
    """The content of a session file; equal documents have equal pictures.

    ``edited`` returns a changed copy. Errors are TypeError or ValueError with one sentence. An encoding with a length
    parameter always has the document's length. ``encodings`` are up to four to compare, and ``encoding`` is the one at
    ``current``, the chosen one, which edits change. ``model`` is the last opened model, or None; edits of the encoding
    keep it. ``model_b`` is a model to compare with. ``tokenizer`` is the last opened one; it is used if the tokens are
    the model's. ``options`` are values for one panel each. ``grid`` is the text of a ``Grid``, the arrangement of the
    tokens.
    """

    sentence: str = SENTENCE.default
    tokens: str = TOKENS.default
    seq_len: int = SEQ_LEN.default
    encoding: Encoding = field(default_factory=lambda: Sinusoidal(d_model=8))
    embedding: Embedding = field(default_factory=Embedding)
    view: View = field(default_factory=View)
    model: "Model | None" = None
    unknown: UnknownFields = field(default_factory=UnknownFields)
    special_tokens: bool = SPECIAL_TOKENS.default
    tokenizer: "text.ModelTokenizer | None" = None
    encodings: tuple[NamedEncoding, ...] = ()
    current: int = 0
    options: Options = field(default_factory=Options)
    grid: str = GRID.default
    model_b: "Model | None" = None

    OWN_FIELDS: ClassVar[tuple[Field, ...]] = (SENTENCE, TOKENS, SPECIAL_TOKENS, GRID, SEQ_LEN)

    def __post_init__(self) -> None:
        """Check the own fields, and set the encoding's length to the document's."""
        check_all(self, self.OWN_FIELDS)
        check_rows(self.tokens, self.tokenizer, self.embedding)
        own, parameters = self._own(), self.encoding.parameters()
        for name in own.keys() & parameters.keys():
            if own[name] != parameters[name]:
                object.__setattr__(self, "encoding", self.encoding.edited(name, own[name]))
        object.__setattr__(self, "encodings", with_chosen(self.encodings, self.current, self.encoding, own))

    @staticmethod
    @cache
    def initial() -> "Document":
        """The document of a new window, the same object each time: all parts of a window begin with it."""
        return Document()

    @property
    def letter(self) -> str:
        """The letter of the chosen encoding, "" for a single encoding."""
        return LETTERS[self.current] if len(self.encodings) > 1 else ""

    @property
    def token_list(self) -> TokenList:
        """The sentence's tokens, or patches of the encoding's picture; the token at index t is at position t."""
        return self.tokens_after(None)

    @property
    def lengths(self) -> ContextLengths:
        """The trained and the target length: the user's, else the model's, else usual ones."""
        view = self.view
        return lengths_of(view.trained_length, view.target_length, view.longest_distance, self.model, self.encoding)

    def tokens_after(self, change: TextChange | None) -> TokenList:
        """``token_list``, found from the tokens of the last sentence, from which ``change`` leads to this one."""
        return _KNOWN.of(self.sentence, self._way, change).placed(patches_of(self.encoding))

    @property
    def _way(self) -> "str | text.ModelWay":
        """Tokenization of the sentence."""
        if self.tokens != MODEL_TOKENS or self.tokenizer is None:
            return self.tokens
        return text.ModelWay(self.tokenizer, self.special_tokens)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields to edit now, with the family and its parameters, and the options of all panels."""
        parameters = (each for each in self.encoding.fields if each.name not in self._own())
        return (*self.OWN_FIELDS, FAMILY, *parameters, *Embedding.FIELDS, *View.FIELDS, *option_fields())

    def value(self, name: str) -> Any:
        """The value of the field of that name; KeyError for an unknown one."""
        if name == FAMILY.name:
            return self.encoding.family
        return self._values[name] if name in self._values else self.option(option_named(name))

    @cached_property
    def _values(self) -> dict[str, Any]:
        """The values of all fields but the options, by name: the document's own before its parts'."""
        return {**self.view.parameters(), **self.embedding.parameters(), **self.encoding.parameters(), **self._own()}

    def option(self, field: Field) -> Any:
        """The value of a panel's option."""
        return self.options.value(field)

    def edited(self, name: str, value: Any) -> "Document":
        """The document with one field changed; errors as the field's, KeyError for an unknown name.

        A new family keeps the parameters that it shares with the present one and accepts, and the width even
        under another name. The length becomes the number of cells of a grid with a picture.
        """
        if name == FAMILY.name:
            family, wanted = ENCODINGS[FAMILY.check(value)], wanted_parameters(self.encoding, self._own())
            return self.with_encoding(made_from_accepted(family.from_parameters, {}, wanted))
        if name == GRID.name:
            return replace(self, grid=value, seq_len=Grid.of(GRID.check(value)).n_cells or self.seq_len)
        if name in self._own():
            return replace(self, **{name: value})
        for part in PARTS:
            if name in getattr(self, part).parameters():
                return replace(self, **{part: getattr(self, part).edited(name, value)})
        return replace(self, options=self.options.edited(option_named(name), value))

    def with_encoding(self, encoding: Encoding) -> "Document":
        """The document with another encoding, whose length parameter is set to the document's length."""
        return replace(self, encoding=encoding.seen_from(None))

    def with_encodings(self, encodings: Sequence[NamedEncoding], current: int) -> "Document":
        """The document with these encodings to compare, the one at ``current`` chosen.

        ValueError with one sentence unless there are one to four, and ``current`` is the index of one of them.
        """
        listed = seen_encodings(checked_count(tuple(encodings), current), None, None)
        return replace(self, encodings=listed, current=current, encoding=listed[current].encoding)

    def named(self, *, name: str | None = None, source: str | None = None) -> "Document":
        """The document whose chosen encoding has another name or source; ValueError for a name of several lines."""
        chosen = self.encodings[self.current]
        name = chosen.name if name is None else checked_name(name)
        source = chosen.source if source is None else checked_source(source)
        listed = [*self.encodings]
        listed[self.current] = NamedEncoding(self.encoding, name, source)
        return replace(self, encodings=tuple(listed))

    def with_model(self, model: "Model", layer: int | None = None) -> "Document":
        """The document with a model and the encoding of the layer, or the part, with this index.

        By default it is the first layer that adds positions, or else the first with an encoding. A layer without an
        encoding leaves the present one; a learned table in the weights is shown untrained. Another model sets its own
        lengths, each layer its longest distance. Files of the model are named without their folders. IndexError for an
        unknown layer.
        """
        chosen = model.at(model.first_shown if layer is None else layer)[1]
        encoding = chosen.shown
        view = self.view if model == self.model else replace(self.view, trained_length=None, target_length=None)
        view = replace(view, longest_distance=chosen.longest_distance)
        grid = None if encoding is None else encoding.parameters().get(GRID.name)
        document = self if grid is None else self.edited(GRID.name, grid)
        document = replace(document, encoding=encoding or self.encoding, model=model.without_folders(), view=view)
        source = name_beside(model.name, document.encodings, self.current)
        return document if encoding is None else document.named(source=source)

    def with_model_b(self, model: "Model | None") -> "Document":
        """The document with a model to compare, whose first encoding, if any, becomes B; None ends the comparison."""
        if model is None:
            return replace(self, model_b=None)
        listed, encoding = [*self.encodings], model.layers[model.first_shown].shown
        if encoding is not None:
            listed[1:2] = [NamedEncoding(encoding)]
            listed[1] = NamedEncoding(encoding, source=checked_source(name_beside(model.name, listed[:2], 1)))
        return replace(self, model_b=model.without_folders()).with_encodings(listed, self.current)

    def with_tokenizer(self, tokenizer: "text.ModelTokenizer", rows: EmbeddingRows | None = None) -> "Document":
        """The document with the tokens of a model's tokenizer, and its embedding as a choice if given."""
        kept = self.embedding
        if kept.embedding == "model" and rows is None:
            kept = replace(kept, embedding="none")
        return replace(self, tokens=MODEL_TOKENS, tokenizer=tokenizer, embedding=replace(kept, rows=rows))

    def vectors_of(self, tokens: Sequence[Token]) -> FloatArray | None:
        """W_e of each token, in the width that the encoding combines with; None without an embedding."""
        texts, ids = [token.text for token in tokens], [token.id for token in tokens]
        return self.embedding.vectors(texts, self.encoding.combination.width, ids)

    def _own(self) -> dict[str, Any]:
        """The document's own parameters by name."""
        return {each.name: getattr(self, each.name) for each in self.OWN_FIELDS}

    def to_dict(self) -> dict[str, Any]:
        """The session file as plain values."""
        from posenc_core.session.model_schema import plain_models  # loaded for the first session
        from posenc_core.session.session_schema import FORMAT, VERSION

        session = {"format": FORMAT, "version": VERSION, **self._own()}
        session |= {part: getattr(self, part).parameters() for part in PARTS}
        session["encoding"] = plain_encoding(self.encoding)
        session[PANELS] = self.options.plain()
        if compared := plain_encodings(self.encodings, self.current):
            session[ENCODINGS_PART] = compared
        if self.tokenizer is not None:
            session[TOKENIZER] = plain_tokenizer(self.tokenizer)
        return self.unknown.added_to(session | plain_models(self.model, self.model_b))

    def to_json(self) -> str:
        """The session file: JSON with a schema version, plain ASCII."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    @property
    def tables(self) -> "tuple[ArrayTable, ...]":
        """The tables from files that the document shows; a session names them and does not contain them."""
        layers = [each.layer for model in (self.model, self.model_b) if model is not None for each in model.groups]
        shown = [*(each.encoding for each in self.encodings), *(each.encoding for each in layers)]
        return tables_shown(filter(None, shown), self.embedding)

    @classmethod
    def from_json(
        cls, data: str | bytes, tables: "Iterable[ArrayTable]" = (), tokenizers: "Iterable[text.ModelTokenizer]" = ()
    ) -> "Document":
        """The document of a session file; ValueError with one sentence for anything else.

        Omitted values have their defaults. A table that it shows must be among ``tables``, and the tokenizer of
        its tokens among ``tokenizers``, MissingFileError otherwise: a session never makes the program open a file.
        """
        from posenc_core.session.model_schema import models_of_plain  # loaded for the first session
        from posenc_core.session.session_schema import read_record, unknown_fields

        session = read_record(data)
        open_tables = by_digest(tables)
        try:
            encoding = encoding_of_plain(session.get("encoding", {}), open_tables)
            encodings, current = encodings_of_plain(session.get(ENCODINGS_PART, {}), encoding, open_tables)
            return cls(
                **{each.name: session[each.name] for each in cls.OWN_FIELDS if each.name in session},
                encoding=encoding,
                embedding=embedding_of_plain(session.get("embedding", {}), open_tables),
                view=View.from_parameters(session.get("view", {})),
                options=Options.of_plain(session.get(PANELS, {})),
                **models_of_plain(session, open_tables),
                tokenizer=tokenizer_of_plain(session, tokenizers),
                encodings=encodings,
                current=current,
                unknown=unknown_fields(session, cls.OWN_FIELDS, encoding),
            )
        except MissingFileError:
            raise
        except (TypeError, ValueError) as error:
            raise ValueError(f"this session is damaged: {error}") from None


_KNOWN = KnownTokens()
