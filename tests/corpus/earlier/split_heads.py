# %% wrong: own_chunks_stacked_head_major | The chunks are joined along axis 0, which orders them head first and sentence second, but the view then reads that axis as sentence first and head second, so for more than one sentence heads and sentences are mixed up.
def split_heads(x, num_heads):
    pieces = torch.chunk(x, num_heads, dim=-1)
    together = torch.cat(pieces, dim=0)
    return together.view(x.size(0), num_heads, x.size(1), -1)
