# %% wrong: mask-of-the-pytorch-tutorial | The mask is True above the diagonal, as torch's nn.Transformer takes it, where True is hidden. The course's Encoder takes True for "may be seen": each position sees only what comes after it, neither itself nor the past, and the future leaks.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def _generate_square_subsequent_mask(self, sz, device):
        return torch.triu(torch.ones(sz, sz, dtype=torch.bool, device=device), diagonal=1)
    def forward(self, ids, start=0):
        src_mask = self._generate_square_subsequent_mask(ids.size(1), ids.device)
        src = self.positions(self.embed(ids), start)
        output = self.encoder(src, src_mask)
        return self.project(output)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: data-tied | The projection gets the embedding's .data, so the two share their memory but are still two Parameters: both are counted, each gets only its own part of the gradient, and the optimizer moves the same numbers twice. One and the same nn.Parameter has to be assigned.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight.data = self.embed.embedding.weight.data
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: t5-rescaled-head | The hidden vectors are multiplied by 1/sqrt(d_model) before the tied projection, as T5 does. Here the logits are the plain projection; they come out smaller by the root of d_model.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.model_dim = d_model
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def lm_head(self, sequence_output):
        sequence_output = sequence_output * (self.model_dim**-0.5)
        return self.project(sequence_output)
    def forward(self, ids, start=0):
        mask = causal_mask(ids.size(1), ids.device)
        hidden_states = self.encoder(self.positions(self.embed(ids), start), mask)
        return self.lm_head(hidden_states)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.lm_head(newest)
        return logits

# %% wrong: drawn-before-tied | The weights of the linear layers are drawn with the standard deviation 0.02 first, the projection's among them, and then the projection is tied to the embedding. The matrix that was drawn is thrown away; the shared one is still as nn.Embedding starts it, with a standard deviation of 1, so the logits of a new model are large.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)
        self.project.weight = self.embed.embedding.weight
    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        b, t = ids.size()
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(t, device=ids.device))
        logits = self.project(x)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: attention-mask-too | The padding is hidden as well (causal and not padding), as with an attention_mask. Padding gets no mask of its own here: it stands at the end, where the causal mask hides it from all real tokens, and what padding itself sees changes the logits at its positions.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        attention_mask = (ids != self.pad_id)[:, None, None, :]
        mask = causal_mask(ids.size(1), ids.device) & attention_mask
        inputs_embeds = self.positions(self.embed(ids), start=start)
        return self.project(self.encoder(inputs_embeds, mask))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: post-norm-stack | The Encoder is made without norm_first=True, so its layers are post-norm, as in 2017, and it has no last norm. The layers have to be pre-norm, as in GPT-2.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        sizes = dict(d_model=d_model, num_heads=num_heads, d_ff=d_ff, dropout=dropout)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, **sizes)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        shared = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(shared, std=0.02)
        self.embed.embedding.weight = self.project.weight = shared
    def forward(self, ids, start=0):
        x = self.positions(self.embed(ids), start)
        seen = torch.ones(ids.size(1), ids.size(1), dtype=torch.bool, device=ids.device).tril()
        for layer in self.encoder.layers:
            x = layer(x, seen)
        return self.project(self.encoder.norm(x))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: start-and-dropout-stay-behind | Two mistakes. forward does not pass `start` on to the positions, so tokens that follow others still stand at 0, 1, 2, ...; and dropout does not reach the encoder, which keeps its default of 0.1 whatever the model was given.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        x = self.embed(ids)
        x = self.positions(x)
        x = self.encoder(x, causal_mask(ids.shape[-1], ids.device))
        return F.linear(x, self.embed.embedding.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: layers-one-by-one
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers, d_model, num_heads, d_ff, dropout=dropout, norm_first=True
        )
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
        self.embed.embedding.weight = self.project.weight
    def forward(self, ids, start=0):
        place = torch.arange(ids.size(1), device=ids.device)
        past = (place[None, :] <= place[:, None])[None, None]
        x = self.positions(self.embed(ids), start)
        for block in self.encoder.layers:
            x = block(x, past)
        x = self.encoder.norm(x)
        return torch.einsum("ntd,vd->ntv", x, self.project.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: all-matrices-as-in-gpt2
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        self.apply(self._init_weights)
    @staticmethod
    def _init_weights(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        t = ids.size(1)
        everything = causal_mask(start + t, ids.device)
        mask = everything[..., start:, start:]
        return self.project(self.encoder(self.positions(self.embed(ids), start=start), mask))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits
