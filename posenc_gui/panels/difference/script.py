"""The Matplotlib script of two tables and their difference."""

from posenc_gui.panels.difference.pointing import DifferenceView


def script(view: DifferenceView) -> str:
    """The script of the panel that draws the tables, for all three tables."""
    figure = view.figures[-1]
    part = figure.spec.part("script")
    compared = view.compared
    assert part is not None
    assert compared is not None  # there is no view without it
    if len(view.figures) == 1:
        return figure.script()
    return str(part.compared_script([each.view() for each in view.figures], compared.names, compared.difference))
