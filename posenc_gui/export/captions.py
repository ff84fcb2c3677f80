"""The caption of a picture: what a reader must know to make it again."""

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_gui.files.presets import textbook_title

_LONGEST_SENTENCE = 80


def caption(document: Document, note: str = "") -> str:
    """Family, model or preset, sentence, length, and the parameters that differ from their defaults, in one line.

    ``note`` is the figure's own, such as averaging.
    """
    encoding = document.encoding
    parts = [
        encoding.title,
        _origin(document),
        *_changed(document),
        _sentence(document),
        f"length {document.seq_len:,}",
    ]
    if encoding.label and encoding.label not in note:
        parts.append(encoding.label)
    return " · ".join(filter(None, (*parts, note)))


def _origin(document: Document) -> str:
    """The model or the preset that has this encoding; empty for one that has been edited."""
    model, encoding = document.model, document.encoding
    if model is not None and any(layer.encoding == encoding for layer in model.layers):
        return one_line(model.name)
    title = textbook_title(document)
    return f"preset “{title}”" if title else ""


def _changed(document: Document) -> list[str]:
    """The parameters that differ from their defaults; those of a part say more than its name."""
    encoding = document.encoding
    own = {field.name for field in document.OWN_FIELDS}
    parameters = encoding.parameters()
    changed = [f for f in encoding.fields if f.name not in own and parameters[f.name] != f.default]
    values = [f"{field.name} = {field.format(parameters[field.name])}" for field in changed]
    return [", ".join(values)] if values else []


def _sentence(document: Document) -> str:
    """The sentence in quotation marks, shortened, and how it is cut unless into words."""
    text = one_line(document.sentence).strip()
    short = text if len(text) <= _LONGEST_SENTENCE else f"{text[:_LONGEST_SENTENCE].rstrip()}…"
    field = next(field for field in document.OWN_FIELDS if field.name == "tokens")
    cut = "" if document.tokens == field.default else f" as {document.tokens}"
    return f"“{short}”{cut}" if text else ""
