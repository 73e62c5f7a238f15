"""What finds good policies: the tuner of the scripted ones."""
