# %% [markdown]
# ## What you will be able to do

# %% name="setup"
split_heads, merge_heads, scaled_dot_product_attention = wb.use(
    "split_heads", "merge_heads", "scaled_dot_product_attention"
)

# %% answer="MultiHeadAttention"

# %% check="MultiHeadAttention"

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"
