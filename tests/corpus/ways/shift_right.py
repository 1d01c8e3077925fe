# %% right: own_windows_of_columns
def shift_right(tgt):
    length = tgt.size(-1) - 1
    def window(start):
        return tgt.narrow(-1, start, length)
    return tuple(window(start) for start in (0, 1))
# %% right: eleventh_own_columns_stacked
def shift_right(tgt):
    columns = list(tgt.unbind(dim=1))
    before, after = [], []
    for now, following in zip(columns, columns[1:]):
        before.append(now)
        after.append(following)
    return torch.stack(before, dim=1), torch.stack(after, dim=1)
# %% right: narrow
def shift_right(tgt):
    length = tgt.size(1) - 1
    return tgt.narrow(1, 0, length), tgt.narrow(1, 1, length)
