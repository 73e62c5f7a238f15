"""Who plays: policies, all behind one small interface."""
