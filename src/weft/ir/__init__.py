"""The intermediate representation: nodes, types, printer, verifier, interpreter, builder."""
