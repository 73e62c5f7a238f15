"""What is compiled, whatever the game: structs, random numbers, Numba, returns, the stepper."""
