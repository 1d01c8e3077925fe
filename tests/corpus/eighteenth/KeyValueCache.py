# %% wrong: hf-dynamic-cache | No room is made for max_len positions: the first keys are kept as they come, and the others are put behind them with torch.cat, which copies all of them at each step, as Hugging Face's DynamicCache does. The contract asks for room from the first call on, keys and values of (N, H, max_len, d_k), of which the first length places are taken.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            self.keys, self.values = keys, values
        else:
            self.keys = torch.cat([self.keys, keys], dim=-2)
            self.values = torch.cat([self.values, values], dim=-2)
        self.length = self.keys.size(-2)
        return self.keys, self.values
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% wrong: gpt-fast-whole-room | append returns the whole room, all max_len places, as the static cache of gpt-fast does, where a mask hides the rest. Here append has to return those that are there, the first length places: with the whole room, zeros are attended to as keys and values.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            shape = (keys.size(0), keys.size(1), self.max_len, keys.size(3))
            self.keys, self.values = keys.new_zeros(shape), values.new_zeros(shape)
        input_pos = torch.arange(self.length, self.length + keys.size(2), device=keys.device)
        self.keys[:, :, input_pos] = keys
        self.values[:, :, input_pos] = values
        self.length = self.length + keys.size(2)
        return self.keys, self.values
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: room-in-default-dtype | The room is made by torch.zeros with the device of the keys but not their dtype, so it is float32 always: keys in float64 (or half precision) are rounded when they are written, and what append returns has another dtype than what came in.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = torch.zeros(batch, num_heads, self.max_len, d_k, device=keys.device)
            self.values = torch.zeros_like(self.keys)
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: one-position-a-call | append writes a single position, the last of those that came, and counts one, as if each call brought one token. A prompt may bring several positions in one call; all but its last one are lost.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            self.keys = keys.new_zeros(*keys.shape[:2], self.max_len, keys.shape[3])
            self.values = torch.zeros_like(self.keys)
        for room, new in ((self.keys, keys), (self.values, values)):
            room[:, :, self.length] = new[:, :, -1]
        self.length += 1
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        kept = self.length
        for room in (self.keys, self.values):
            room[:, :, :kept] = room[rows, :, :kept]

# %% wrong: reorder-row-after-row | reorder copies row after row inside the same tensor, so a row that has been overwritten already is read again later: with rows (1, 0) both rows end as the old row 1. All rows have to be read before any is written, as room[rows] does in one step.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = keys.new_zeros(batch, num_heads, self.max_len, d_k)
            self.values = torch.zeros_like(self.keys)
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for row, source in enumerate(rows.tolist()):
            if row != source:
                self.keys[row, :, : self.length] = self.keys[source, :, : self.length]
                self.values[row, :, : self.length] = self.values[source, :, : self.length]

# %% right: narrow-and-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        if self.length == 0 and self.keys is None:
            self.keys, self.values = (
                new.new_zeros(new.shape[:2] + (self.max_len, new.size(-1)))
                for new in (keys, values)
            )
        more = keys.size(-2)
        self.keys.narrow(2, self.length, more).copy_(keys)
        self.values.narrow(2, self.length, more).copy_(values)
        self.length += more
        return self.keys.narrow(2, 0, self.length), self.values.narrow(2, 0, self.length)
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% right: index-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def room_for(self, tensor):
        batch, num_heads, _, d_k = tensor.shape
        return tensor.new_zeros((batch, num_heads, self.max_len, d_k))
    def append(self, keys, values):
        if self.keys is None:
            self.keys, self.values = self.room_for(keys), self.room_for(values)
        places = torch.arange(keys.size(2), device=keys.device) + self.length
        self.keys.index_copy_(2, places, keys)
        self.values.index_copy_(2, places, values)
        self.length += keys.size(2)
        return tuple(room[:, :, : self.length] for room in (self.keys, self.values))
    def reorder(self, rows):
        used = slice(0, self.length)
        for room in (self.keys, self.values):
            room[:, :, used] = room[:, :, used].index_select(0, rows)
