"""Which schedule a kernel runs under: recipes, alternatives, the choice."""
