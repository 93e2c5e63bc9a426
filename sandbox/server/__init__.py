"""The process that confines jobs. It runs without the rest of Treadle, and `zygote` without any of it."""
