"""The computation of each engine: a function of a question, with the decisive lines of the engine's source."""
