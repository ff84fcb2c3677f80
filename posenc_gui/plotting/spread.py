"""Labels pushed apart until none covers another, each as near to its place as that allows."""

from collections.abc import Sequence


def spread(centres: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """New centres, in the order of the old ones (which must ascend), so that labels of these sizes do not overlap.

    The sum of squared shifts is the smallest possible (neighbours that collide are pooled and move as one), and
    all stay within ``low`` .. ``high`` where they fit there at all.
    """
    pools: list[tuple[float, float, int]] = []  # sum of the first edges wanted, total size, number of members
    starts: list[float] = []
    for centre, size in zip(centres, sizes, strict=True):
        pool = (centre - size / 2, size, 1)
        while pools and _start(pools[-1], low, high) + pools[-1][1] > _start(pool, low, high):
            before = pools.pop()
            pool = (before[0] + pool[0] - pool[2] * before[1], before[1] + pool[1], before[2] + pool[2])
        pools.append(pool)
    sizes_left = iter(sizes)
    for pool in pools:
        place = _start(pool, low, high)
        for _ in range(pool[2]):
            size = next(sizes_left)
            starts.append(place + size / 2)
            place += size
    return starts


def _start(pool: tuple[float, float, int], low: float, high: float) -> float:
    return max(low, min(high - pool[1], pool[0] / pool[2]))
