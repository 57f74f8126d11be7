"""The interview: what a patient answers to the questions of the interview tools, and what proves it."""
