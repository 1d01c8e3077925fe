# %% [markdown]
# ## Decoder-only

# %% name="setup"
TokenEmbedding, PositionalEncoding = wb.use("TokenEmbedding", "PositionalEncoding")
Encoder, causal_mask = wb.use("Encoder", "causal_mask")
CachedMultiHeadAttention = wb.use("CachedMultiHeadAttention")

# %% answer="CausalLM"

# %% check="CausalLM"

# %% answer="next_token_loss"

# %% check="next_token_loss"

# %% answer="next_token_probabilities"

# %% check="next_token_probabilities"

# %% answer="generate"

# %% check="generate"

# %% answer="apply_rotary"

# %% check="apply_rotary"

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown] question="1" points="2"
# Why?

# %% [markdown] rubric="1"
# Because.
