"""Never comes back from a call."""
# step: 1


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    while True:
        pass
