"""Keys in a cache that were rotated with other bases than the present one."""
