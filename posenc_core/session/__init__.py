"""The document that the window shows, and its session file."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.session.context import (
        COMPARED_SCALINGS,
        Compared,
        Comparison,
        ContextLengths,
        LONGEST_DISTANCE,
        TARGET_LENGTH,
        compared_encodings,
    )
    from posenc_core.session.difference_names import names_of_difference
    from posenc_core.session.document import Document
    from posenc_core.session.model import (
        LONGEST_CONFIG,
        MOST_PARTS,
        FoundTable,
        Layer,
        LayerGroup,
        Model,
        ModelPart,
        first_shown,
        groups_of,
    )
    from posenc_core.session.model_schema import MAXIMUM_LAYERS, plain_model, runs_of
    from posenc_core.session.named_encodings import LETTERS, LONGEST_NAME, NamedEncoding, compared_titles
    from posenc_core.session.named_encodings import variant, with_copy
    from posenc_core.session.named_encodings import with_variant
    from posenc_core.session.options import Options, offer_options, offered_options
    from posenc_core.session.seen import seen_document, token_vectors
    from posenc_core.session.session_schema import MAXIMUM_BYTES
    from posenc_core.session.stored_parts import FAMILY, wanted_parameters
    from posenc_core.session.view import ANGLES, COLOR_MAP, LOGARITHMIC, PER_ROW, View
    from posenc_core.text import SENTENCE
else:
    __getattr__ = on_demand(__name__)
