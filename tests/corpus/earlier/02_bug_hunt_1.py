# %% wrong: own_root_of_mean_square_distance | To get rid of the sign the steps are squared and the root is taken after averaging over the keys: that is the root mean square distance of each query, which is larger than the mean distance.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1), dtype=weights.dtype, device=weights.device)
    squared = (place[:, None] - place).square()
    by_query = torch.einsum("nhqk,qk->nqh", weights, squared).sqrt()
    return by_query[real].mean(dim=0)
