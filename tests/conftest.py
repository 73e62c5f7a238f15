"""What all tests share."""

from __future__ import annotations

import os
import signal

# Tests run side by side: torch's threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the processes
# that they start; some tests are about it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
