# %% wrong: float32-on-cpu | The room is made by torch.zeros without dtype and device: in half or double precision, keys come back as float32, and with a model on a GPU the room lies on the CPU.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        batch, num_heads, new, d_k = keys.shape
        if self.keys is None:
            self.keys = torch.zeros(batch, num_heads, self.max_len, d_k)
            self.values = torch.zeros(batch, num_heads, self.max_len, d_k)
        start, self.length = self.length, self.length + new
        self.keys[:, :, start : self.length] = keys
        self.values[:, :, start : self.length] = values
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: one-store-for-all | The tensors are kept in a dict that is an attribute of the class and not of the object: all caches share it, so what one layer (or the next decoding) writes overwrites what another one keeps.
class KeyValueCache:
    room = {}
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
    @property
    def keys(self):
        return self.room.get("keys")
    @property
    def values(self):
        return self.room.get("values")
    def append(self, keys, values):
        end = self.length + keys.size(2)
        for name, new in (("keys", keys), ("values", values)):
            if name not in self.room:
                self.room[name] = new.new_zeros(*new.shape[:2], self.max_len, new.size(3))
            self.room[name][:, :, self.length : end] = new
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for name in self.room:
            self.room[name] = self.room[name].index_select(0, rows)
