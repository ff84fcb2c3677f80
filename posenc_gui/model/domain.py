"""Where an encoding has values: nothing is drawn or written at other positions but its own sentence."""

from posenc_core import Document, Encoding


def n_components(document: Document) -> int:
    """How many components of a token can be pointed at: the table's columns, and those of a vector beyond them."""
    encoding = document.encoding
    shows_vectors = document.embedding.embedding != "none" and encoding.combination.kind == "rotation"
    return max(encoding.n_columns, encoding.combination.width if shows_vectors else 0)


def valued(encoding: Encoding, positions: range) -> range:
    """The part of consecutive positions that has values."""
    first, last = encoding.domain
    start, stop = int(max(positions.start, first)), int(min(positions.stop, last + 1))
    return range(start, max(start, stop))


def no_value_sentence(encoding: Encoding, positions: range) -> str:
    """The encoding's sentence for the first of the positions behind its last value, or for one before its first.

    Empty where all of the positions have values.
    """
    first, last = encoding.domain
    if positions and positions[-1] > last:
        return encoding.no_value(int(max(positions[0], last + 1)))
    if positions and positions[0] < first:
        return encoding.no_value(int(min(positions[-1], first - 1)))
    return ""
