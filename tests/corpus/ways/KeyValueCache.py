# %% right: field_module_with_cache_and_input_pos
class KeyValueCache(nn.Module):
    def __init__(self, max_seq_length):
        super().__init__()
        self.max_seq_length = max_seq_length
        self.length = 0
        self.k_cache = self.v_cache = None
    def append(self, k_val, v_val):
        B, H, S, D = k_val.shape
        if self.k_cache is None:
            shape = (B, H, self.max_seq_length, D)
            self.k_cache = torch.zeros(shape, dtype=k_val.dtype, device=k_val.device)
            self.v_cache = torch.zeros(shape, dtype=v_val.dtype, device=v_val.device)
        input_pos = torch.arange(self.length, self.length + S, device=k_val.device)
        self.k_cache[:, :, input_pos] = k_val
        self.v_cache[:, :, input_pos] = v_val
        self.length += S
        return self.k_cache[:, :, : self.length], self.v_cache[:, :, : self.length]
    def reorder(self, beam_idx):
        self.k_cache = self.k_cache.index_select(0, beam_idx)
        self.v_cache = self.v_cache.index_select(0, beam_idx)
# %% right: field_static_layers_copied_by_index
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len, self.length, self.past = max_len, 0, None
    def append(self, keys, values):
        if self.past is None:
            self.past = tuple(
                x.new_empty(x.size(0), x.size(1), self.max_len, x.size(3)) for x in (keys, values)
            )
        cache_position = self.length + torch.arange(keys.size(-2), device=keys.device)
        for past, new in zip(self.past, (keys, values)):
            past.index_copy_(2, cache_position, new)
        self.length += keys.size(-2)
        return tuple(past.narrow(2, 0, self.length) for past in self.past)
    def reorder(self, rows):
        self.past = tuple(past.index_select(0, rows.to(past.device)) for past in self.past)
