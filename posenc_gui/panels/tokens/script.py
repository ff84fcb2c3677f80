"""The Matplotlib script of the tokens' vectors."""

from posenc_core.long_context import TableDifference, difference_of
from posenc_core.scripts import TokenRow, table_names, tokens_script
from posenc_gui.panels.tokens.rows import SUMMED, strip_colors, strip_rows
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import shades_of, table_colors


def script(view: TokensView) -> str:
    """A script that draws the strips in view; ValueError with one sentence if there are none, or too many."""
    document, columns = view.document, view.columns
    colors = strip_colors(document, table_colors(document, view.style, shared=True))
    difference = difference_of(view.encoding)
    rows = _token_rows(view, columns) if difference is None else _compared_rows(view, difference)
    return tokens_script(document, rows, range(*columns), shades_of(colors.scale))


def _token_rows(view: TokensView, columns: tuple[int, int]) -> list[TokenRow]:
    """The rows of the strips in view; rows without a value are omitted."""
    document, axis = view.document, view.axis
    rows, found = strip_rows(document, axis, view.tokens, columns), []
    for index, token in enumerate(view.tokens):
        word, colour = document.token_list[token].shown, view.style.token(token).name()
        for row in rows:
            if row.has_value[index]:
                typed = rows[0] if row.name == SUMMED[2] else row  # the script adds the entries of a sum
                numbers = None if row.name in ("", SUMMED[1]) else typed.values[index]
                position = axis.tokens[token] if row.name in ("", *SUMMED[1:]) else None
                found.append(TokenRow(f"{word} {row.name}".strip(), colour, position, numbers))
    return found


def _compared_rows(view: TokensView, difference: TableDifference) -> list[TokenRow]:
    """Rows of two tables and of their difference, which the script computes."""
    words, style, positions = view.document.token_list, view.style, view.axis.tokens
    return [
        TokenRow(f"{words[token].shown} {name}", style.token(token).name(), positions[token], table=table)
        for token in view.tokens
        if difference.has_value(positions[token])
        for name, table in zip(view.names, table_names(difference), strict=True)
    ]
