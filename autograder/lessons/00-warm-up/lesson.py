# %% [markdown]
# ## What you will be able to do
#
# - read shapes, and move numbers between them without losing track.

# %% answer="split_heads"

# %% check="split_heads"

# %% answer="merge_heads"

# %% check="merge_heads"

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"
