"""Scripts to copy: for NumPy and PyTorch those that compute a table, for Matplotlib those that draw a panel."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.scripts.differences import compared_heatmap_script, compared_waves_script, table_names
    from posenc_core.scripts.gallery import DrawnFamily, gallery_script
    from posenc_core.scripts.joined import Sheet, joined_script
    from posenc_core.scripts.lens import ClockColours, lens_script
    from posenc_core.scripts.line_plots import DrawnAxis, DrawnLine, DrawnPlot, lines_script
    from posenc_core.scripts.pairs import pairs_script
    from posenc_core.scripts.plots import (
        Curve,
        Shades,
        TokenMark,
        TokenMarks,
        TokenRow,
        heatmap_script,
        tokens_script,
        waves_script,
    )
    from posenc_core.scripts.scorecard import DrawnScore, scorecard_script
    from posenc_core.scripts.snippets import source_of
    from posenc_core.scripts.spectrum import spectrum_script
    from posenc_core.scripts.unseen import DrawnMap, unseen_script
    from posenc_core.scripts.ways import WayLook, ways_script
else:
    __getattr__ = on_demand(__name__)
