"""What each parameter is: name, unit, bounds and help; every value is checked here."""

from posenc_core.fields.arguments import (
    check_columns,
    check_index,
    check_picture,
    check_position,
    check_positions,
    check_tile,
)
from posenc_core.fields.field import (
    ChoiceField,
    Field,
    FlagField,
    IntegerField,
    RealField,
    TextField,
    one_line,
    shortened,
)
from posenc_core.fields.field_kinds import (
    FactorsField,
    FloorField,
    FreqScaleField,
    NumbersField,
    OptionalField,
    PartField,
    ShareField,
    optional,
)
from posenc_core.fields.shared_fields import BASE, D_MODEL, N_HEADS, OFFSET, SEQ_LEN, TABLE_SEED
