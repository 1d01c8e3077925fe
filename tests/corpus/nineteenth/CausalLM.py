# %% wrong: post-norm | The Encoder is made without norm_first=True, so the layers are post-norm, as in 2017, and there is no last norm; the text asks for pre-norm, as in GPT-2.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
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

# %% wrong: masks-padding-too | In the manner of Hugging Face's attention mask: the causal mask is joined with a padding mask made from the ids. The text says that padding gets no mask of its own; what padding sees is compared, too.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_token_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        attention_mask = ids.ne(self.pad_token_id)[:, None, None, :]
        hidden_states = self.positions(self.embed(ids), start)
        causal = causal_mask(ids.shape[-1], device=ids.device)
        hidden_states = self.encoder(hidden_states, causal & attention_mask)
        return self.project(hidden_states)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: true-taken-for-hidden | In the manner of nn.Transformer, where True means hidden: the mask is True above the diagonal. Here True means "may be seen", so each position sees only what comes after it, and the last one nothing.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        sz = ids.size(1)
        src_mask = torch.triu(torch.ones(sz, sz, device=ids.device), diagonal=1).bool()
        src = self.positions(self.embed(ids), start)
        output = self.encoder(src, src_mask[None, None])
        return self.project(output)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: drawn-then-replaced | The embedding is drawn with 0.02, and then replaced by the projection's own weight when they are tied: what both hold is nn.Linear's default initialization, not a normal distribution with deviation 0.02.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        nn.init.normal_(self.embed.embedding.weight, mean=0.0, std=0.02)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
    def forward(self, ids, start=0):
        B, T = ids.size()
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(T, ids.device))
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: rows-without-the-root | In the manner of nanoGPT's wte: the rows of the shared table are looked up directly instead of by calling TokenEmbedding, so the factor of the root of d_model is missing, and the positions drown the tokens.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        torch.nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        tok_emb = F.embedding(ids, self.project.weight)
        x = self.positions(tok_emb, start)
        x = self.encoder(x, causal_mask(ids.size(1), ids.device))
        logits = self.project(x)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(F.embedding(ids, self.project.weight), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for block, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(block, x, cache, mask)
        return self.project(self.encoder.norm(x[:, -1]))

# %% wrong: never-sees-itself | The mask is made by comparing places with < instead of <=: a position sees only those before it, not itself, and the first sees none. The diagonal belongs to the causal mask.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, std=0.02)
        self.embed.embedding.weight = self.project.weight
    def seen(self, start, stop, device):
        place = torch.arange(stop, device=device)
        return (place[None, :] < place[start:, None]).view(1, 1, stop - start, stop)
    def forward(self, ids, start=0):
        hidden = self.encoder(
            self.positions(self.embed(ids), start), self.seen(0, ids.size(1), ids.device)
        )
        return F.linear(hidden, self.embed.embedding.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = self.seen(start, start + ids.size(1), ids.device)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        return F.linear(self.encoder.norm(x[:, -1]), self.embed.embedding.weight)

# %% wrong: default-dropout-and-no-start | Two mistakes. `dropout` does not reach the Encoder, which keeps its default of 0.1; and forward does not hand `start` to the positions, so its tokens always stand from 0 on.
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
        vectors = self.embed(ids)
        placed = self.positions(vectors)
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

# %% right: gpt-2-initialization
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.embed.embedding.weight = self.project.weight
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers=num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=True,
        )
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        T = ids.size(1)
        past = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()[None, None]
        x = self.encoder(self.positions(self.embed(ids), start), past)
        return x @ self.embed.embedding.weight.T
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        return self.project(self.encoder.norm(x)[:, -1])

# %% right: one-embedded-helper
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        table = self.embed.embedding.weight
        with torch.no_grad():
            table.normal_(0.0, 0.02)
        self.project.weight = table
    def placed(self, ids, start):
        return self.positions(self.embed(ids), start)
    def mask_of(self, ids, start):
        place = torch.arange(start + ids.size(1), device=ids.device)
        return (place >= 0).logical_and(place <= place[start:, None])[None, None]
    def forward(self, ids, start=0):
        hidden = self.encoder(self.placed(ids, start), mask=self.mask_of(ids, 0))
        return self.project(hidden)
    def read_on(self, ids, start, caches):
        x, mask = self.placed(ids, start), self.mask_of(ids, start)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        return self.project(self.encoder.norm(x[:, -1]))
