"""Scores a trained model that was handed in, by the BLEU of its translations."""
