# %% wrong: own_rows_share_memory | The square is one row that expand repeats without copying it: all rows are the same memory, so writing False into one writes it into all, and every query sees position 0 only.
def causal_mask(size, device=None):
    row = torch.ones(size, dtype=torch.bool, device=device)
    table = row.expand(size, size)
    for query in range(size):
        table[query, query + 1 :] = False
    return table[None, None]
# %% wrong: own_remember_masks | the cache is keyed by size alone, so a later call with the same size and another device gets the mask on the device of the first call (and all callers share one tensor)
made_already = {}
def causal_mask(size, device=None):
    if size not in made_already:
        place = torch.arange(size, device=device)
        made_already[size] = (place[None, :] <= place[:, None])[None, None]
    return made_already[size]

# %% wrong: loop-never-moves-on | the rows are filled in a while loop whose counter is never raised: it fills the first row again and again and never ends.
def causal_mask(size, device=None):
    mask = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    row = 0
    while row < size:
        mask[0, 0, row, : row + 1] = True
    return mask
