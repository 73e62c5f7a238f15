"""The games for other libraries."""
