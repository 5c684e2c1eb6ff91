"""The analysis: linear forms, proofs, the access table, dependences and verdicts."""
