"""How untrusted code runs: the processes, their limits, what goes in and what may be returned."""
