"""The proofs that a lesson's checks and tests tell right answers from wrong ones."""
