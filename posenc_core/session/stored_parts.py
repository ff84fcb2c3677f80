"""An encoding, an embedding and a tokenizer as plain values, in a session that names files without their content."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from posenc_core import tables, text
from posenc_core.encodings import ENCODINGS, Encoding, Sinusoidal, described, headings
from posenc_core.fields import WIDTH_NAMES, Asked, ChoiceField, MissingEncodingError, MissingFileError, shortened
from posenc_core.text import MODEL_TOKENS, TOKENS, Embedding, HeldRows

FAMILY = ChoiceField(
    name="family",
    label="fa&mily",
    help="The kind of positional encoding.",
    default=Sinusoidal.family,
    choices=Asked(described),
    titles=Asked(lambda: (title for _, title in ENCODINGS.titles)),
    headings=Asked(headings),
)

PARTS = ("encoding", "embedding", "view")
"""The parts of a session that are objects; the fields check their content."""

NOTES = "notes"
"""The name of a model's sentences on its encoding: no parameter, and stored only if there are some."""

_MOST_NOTES, _LONGEST_NOTE = 1000, 4096

Tables = Mapping[str, "tables.HeldDigest"]
"""The tables that are open, by their digests: a stored encoding names its table but does not contain it."""


def wanted_parameters(encoding: Encoding, own: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters for another family: the encoding's, and its width under every name of a width.

    ``own`` are the document's, such as its length, which take precedence over the encoding's.
    """
    parameters = encoding.parameters()
    widths = [parameters[each] for each in WIDTH_NAMES if each in parameters]
    return {**dict.fromkeys(WIDTH_NAMES if widths else (), *widths[:1]), **parameters, **own}


def plain_encoding(encoding: Encoding) -> dict[str, Any]:
    """The encoding's family and parameters as plain values, and the notes of a model's, if any."""
    plain = {FAMILY.name: encoding.family, **encoding.parameters()}
    notes = [note[:_LONGEST_NOTE] for note in getattr(encoding, NOTES)[:_MOST_NOTES]] if has_notes(encoding) else []
    return {**plain, NOTES: notes} if notes else plain


def encoding_of_plain(parameters: Mapping[str, Any], open_tables: Tables) -> Encoding:
    """The encoding of these values, with a default for each omitted value.

    MissingFileError for a table that is not open, MissingEncodingError for a family that no open package or file has;
    TypeError or ValueError with one sentence for other wrong values.
    """
    family = parameters.get(FAMILY.name, FAMILY.default)
    if isinstance(family, str) and family not in ENCODINGS:
        raise MissingEncodingError(
            f"this session shows the encoding {shortened(family)}, which is not installed: install its package, or "
            "open its file with File > Open encoding (Python) or --plugin FILE"
        )
    kind = ENCODINGS[FAMILY.check(family)]
    texts = {name: value for name, value in parameters.items() if isinstance(value, str)}
    tables_of = {name: open_tables[value] for name, value in texts.items() if value in open_tables}
    encoding = kind.from_parameters({**parameters, **tables_of})
    if not has_notes(encoding) or NOTES not in parameters:
        return encoding
    notes = parameters[NOTES]
    if not isinstance(notes, list) or len(notes) > _MOST_NOTES or not all(map(_is_note, notes)):
        raise ValueError(f"{NOTES} must be a list of at most {_MOST_NOTES} sentences, got {shortened(notes)}")
    return replace(encoding, **{NOTES: tuple(notes)})


def has_notes(encoding: Encoding) -> bool:
    """Whether the family has sentences of a model's file beside its parameters."""
    is_field = any(each.name == NOTES for each in fields(encoding))  # that of a plug-in may have any value
    return is_field and NOTES not in encoding.parameters() and isinstance(getattr(encoding, NOTES), tuple)


def _is_note(note: Any) -> bool:
    return isinstance(note, str) and 0 < len(note) <= _LONGEST_NOTE


def by_digest(open_tables: "Iterable[tables.ArrayTable]") -> Tables:
    """The tables by their digests, as sessions name them."""
    return {table.digest: tables.HeldDigest.of(table) for table in open_tables}


def tables_shown(encodings: Iterable[Encoding], embedding: Embedding) -> "tuple[tables.ArrayTable, ...]":
    """The tables from files that the encodings and the embedding show, each once."""
    held = [value for encoding in encodings for value in encoding.parameters().values()]
    shown = [value.table for value in held if isinstance(value, tables.HeldDigest)]
    rows = [embedding.rows] if isinstance(embedding.rows, tables.ArrayTable) else []
    return tuple(dict.fromkeys([*shown, *rows]))


TOKENIZER = "tokenizer"
"""The name of the part of a session."""


def check_rows(tokens: str, tokenizer: "text.ModelTokenizer | None", embedding: Embedding) -> None:
    """ValueError with one sentence unless a model's tokens have their tokenizer, and its rows their tokens."""
    if tokens == MODEL_TOKENS and tokenizer is None:
        raise MissingFileError(
            "no model's tokenizer is open; open a tokenizer.json with File > Open, or with --tokenizer FILE"
        )
    if embedding.embedding != "model" or embedding.rows is None:
        return
    if tokens != MODEL_TOKENS or tokenizer is None:
        raise ValueError("the embedding is a model's, which has rows for the model's own tokens only; change it first")
    n_rows = embedding.rows.shape[0]
    if tokenizer.n_ids > n_rows:
        raise ValueError(
            f"the tokenizer has ids up to {tokenizer.n_ids - 1}, {shortened(embedding.rows.label)} has {n_rows} rows: "
            "they belong to different models"
        )


def plain_tokenizer(tokenizer: "text.ModelTokenizer") -> dict[str, str]:
    """The name and the digest of the tokenizer's file."""
    return {"name": tokenizer.name, "digest": tokenizer.digest}


def tokenizer_of_plain(
    session: Mapping[str, Any], tokenizers: "Iterable[text.ModelTokenizer]"
) -> "text.ModelTokenizer | None":
    """The tokenizer that the session names, None for one that it does not use and that is not open.

    MissingFileError with one sentence if its tokens are those of a tokenizer that is not open.
    """
    named = session.get(TOKENIZER)
    if named is None:
        return None
    found = next((each for each in tokenizers if each.digest == named.get("digest")), None)
    if found is None and session.get(TOKENS.name) == MODEL_TOKENS:
        raise MissingFileError(
            f"this session shows the tokens of the tokenizer {shortened(named.get('name'))}, which a session does not "
            "contain; open that file first"
        )
    return found


def embedding_of_plain(parameters: Mapping[str, Any], open_tables: Tables) -> Embedding:
    """The embedding of these values, with the rows that they name, if open; errors as the embedding's."""
    digest = parameters.get("rows_digest")
    if isinstance(digest, str) and digest in open_tables:
        return Embedding.from_parameters({**parameters, "rows_digest": HeldRows.of(open_tables[digest].table)})
    return Embedding.from_parameters(parameters)
