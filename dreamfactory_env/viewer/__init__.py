"""Games in the browser: watch records, play, and review with an analysis that can be trusted."""
