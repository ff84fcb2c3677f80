"""Descriptions of parameters (name, unit, bounds, help), the values they describe, and checks of arguments."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.fields.arguments import (
        FARTHEST,
        as_reals,
        check_at_least,
        check_column,
        check_columns,
        check_index,
        check_length,
        check_one_of,
        check_picture,
        check_position,
        check_positions,
        check_tile,
        check_vector,
    )
    from posenc_core.fields.decoding import decode_json, has_large_number, is_deeper, quoted_name
    from posenc_core.fields.field import (
        ChoiceField,
        ChoicesField,
        Field,
        FlagField,
        OptionalField,
        SignField,
        TextField,
        one_line,
        optional,
        shortened,
    )
    from posenc_core.fields.number_fields import (
        FactorsField,
        FiniteField,
        FloorField,
        FreqScaleField,
        IntegerField,
        NumbersField,
        RealField,
        ShareField,
    )
    from posenc_core.fields.registry import Asked, Later, Registry
    from posenc_core.fields.regular_files import open_regular, read_regular, regular_descriptor
    from posenc_core.fields.shared_fields import BASE, D_MODEL, N_HEADS, OFFSET, SEQ_LEN, TABLE_SEED, WIDTH_NAMES
    from posenc_core.fields.spec import (
        NO_PART,
        Kind,
        KindField,
        MissingEncodingError,
        MissingFileError,
        NoSessionError,
        PartField,
        Spec,
        check_all,
        made_from_accepted,
    )
else:
    __getattr__ = on_demand(__name__)
