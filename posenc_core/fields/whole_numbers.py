"""Integers from what people type, in any notation that is exact."""

from decimal import Decimal, InvalidOperation

_FARTHEST_EXPONENT = 30
"""Beyond it every whole number is out of every field's bounds; written out, 1e999999999 would fill the memory."""


def whole_number(text: str) -> int | None:
    """The integer that is exactly what the text says, in any notation of numbers; None for anything else."""
    try:
        number = Decimal(text.replace("_", "?"))
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    if number.adjusted() > _FARTHEST_EXPONENT:
        number = Decimal(10**_FARTHEST_EXPONENT).copy_sign(number)
    return int(number) if number.adjusted() >= -_FARTHEST_EXPONENT and number == int(number) else None
