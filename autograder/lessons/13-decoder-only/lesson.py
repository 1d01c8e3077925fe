# %% [markdown]
# It takes about 30 minutes. Begin with the problem: what does not work without the part that this
# lesson builds? Show it, with numbers or a picture, before you name the solution.

# %% [markdown]
# ## `apply_rotary`
#
# Say all that an answer has to do: shapes, what happens at the borders, what is not asked for.
# The tests may use only what stands here or in the docstring.

# %% answer="apply_rotary"

# %% check="apply_rotary"

# %% [markdown]
# `wb.hint("length_d_k")` gives a hint. End with the part in place: what works now that did not?

# %% [markdown] question="1" points="2"
# Ask for a reason, in a sentence or two, that no code can show.

# %% [markdown] rubric="1"
# What earns the points, and what does not. Students never see this.
