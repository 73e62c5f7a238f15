"""What every part needs: errors, validation, YAML with line numbers, atomic files."""
