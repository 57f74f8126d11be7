"""What is true: typed, frozen records. Imports pydantic and the standard library only."""
