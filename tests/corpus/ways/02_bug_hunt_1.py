# %% right: eleventh_own_query_loop
def looking_distance(weights, real):
    total, count = 0, 0
    for n in range(weights.size(0)):
        for q in range(weights.size(2)):
            if not real[n, q]:
                continue
            away = torch.tensor([abs(q - k) for k in range(weights.size(3))], dtype=weights.dtype)
            total = total + weights[n, :, q] @ away
            count += 1
    return total / count
# %% right: tenth_own_one_einsum
def looking_distance(weights, real):
    T = weights.shape[-1]
    far = torch.tensor([[abs(i - j) for j in range(T)] for i in range(T)])
    far = far.to(weights)
    asked = real.to(weights)
    return torch.einsum("nhqk,qk,nq->h", weights, far, asked) / asked.sum()
# %% right: tenth_own_picked_queries
def looking_distance(weights, real):
    rows = weights.transpose(1, 2)[real]  # (words, H, T)
    query_at = real.nonzero()[:, 1]
    key_at = torch.arange(rows.size(-1), device=weights.device)
    far = (query_at[:, None] - key_at[None, :]).abs()  # (words, T)
    return (rows * far[:, None, :]).sum(dim=-1).mean(dim=0)
