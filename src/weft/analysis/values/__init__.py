"""What is known of integer values: linear forms, ranges, proofs."""
