"""What two texts have in common at both ends."""


def shared_start(one: str, other: str) -> int:
    """How many characters both begin with, found by halving: a loop over two million would be felt at each key."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_end(one: str, other: str, start: int) -> int:
    """How many characters both end with, behind the first ``start`` of each."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
