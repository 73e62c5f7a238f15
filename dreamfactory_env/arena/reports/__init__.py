"""Reports for people to read: tables on a terminal, and a page with plots."""
