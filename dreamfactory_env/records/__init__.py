"""Game records: their format, their files, replay and simulation."""
