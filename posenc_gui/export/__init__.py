"""Pictures and numbers in files and on the clipboard."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.export.dialog import ExportDialog
    from posenc_gui.export.drawn_numbers import drawn_panels, write_drawn_numbers
    from posenc_gui.export.grid import FIGURE_NAME, USUAL_PAGE, Grid, parsed_grid
    from posenc_gui.export.mosaic import Mosaic
    from posenc_gui.export.names import CAPTION_FORMAT, NUMBERS_NAME, PICTURE_FORMATS, SCRIPT_FORMAT, caption
    from posenc_gui.export.names import named_path, prepared_folder, remove_leftovers
    from posenc_gui.export.numbers import NO_TOKEN, NUMBER_FORMATS, check_columns_within, check_tokens, expected_bytes
    from posenc_gui.export.numbers import size_sentence, write_numbers
    from posenc_gui.export.page import Layout, Picture, PictureOptions, layout_of
    from posenc_gui.export.paper import NAMED_SIZES, PAPER_DPI, PageSize, parsed_page, size_problem
    from posenc_gui.export.pictures import copy_picture, copy_plot, copy_plots, copy_script, image_of, png_bytes
    from posenc_gui.export.pictures import write_drawing, write_picture
    from posenc_gui.export.sources import SOURCES_FORMAT, SOURCES_NAME, sources_text, write_sources
else:
    __getattr__ = on_demand(__name__)
