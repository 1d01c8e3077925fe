# %% wrong: post-norm-stack | The Encoder is made without norm_first=True, so its layers are post-norm, as in the paper, not pre-norm as in GPT-2.
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
        vectors = self.embed(ids)  # (N, T, D)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: hf-padding-hidden-too | The causal mask is joined with a padding mask, as Hugging Face's attention_mask does; here padding gets no mask of its own, and what padding sees differs.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.tie_weights()
        self.apply(self._init_weights)
    def tie_weights(self):
        self.project.weight = self.embed.embedding.weight
    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        attention_mask = ids.ne(self.pad_id)[:, None, None, :]
        causal = causal_mask(ids.size(1), ids.device)
        hidden_states = self.positions(self.embed(ids), start)
        hidden_states = self.encoder(hidden_states, attention_mask & causal)
        return self.project(hidden_states)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: mingpt-drawn-before-tied | The projection's own matrix is drawn with 0.02 first and then replaced by the embedding's; so the tied matrix keeps nn.Embedding's standard deviation of 1 instead of 0.02.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        for name, p in self.named_parameters():
            if name.startswith("project"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02)
        self.project.weight = self.embed.embedding.weight
    def forward(self, ids, start=0):
        b, t = ids.size()
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(t, ids.device))
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: pytorch-tutorial-mask-of-the-hidden | The mask is made as for nn.Transformer, True above the diagonal for what is hidden; with True for "may be seen" each position sees only what comes after it.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        self.init_weights()
    def init_weights(self):
        nn.init.normal_(self.project.weight, std=0.02)
    def _generate_square_subsequent_mask(self, sz, device):
        return torch.triu(torch.ones(sz, sz, dtype=torch.bool, device=device), diagonal=1)
    def forward(self, ids, start=0):
        src_mask = self._generate_square_subsequent_mask(ids.size(1), ids.device)[None, None]
        src = self.positions(self.embed(ids), start)
        output = self.encoder(src, src_mask)
        return self.project(output)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: nanogpt-start-ignored | forward does not pass start to the positions; so tokens that follow others always get the positions from 0 on.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
        for module in self.modules():
            if isinstance(module, nn.Linear):
                torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        b, t = ids.size()
        tok_emb = self.embed(ids)
        x = self.positions(tok_emb)
        bias = torch.ones(t, t, dtype=torch.bool, device=ids.device).tril().view(1, 1, t, t)
        x = self.encoder(x, bias)
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: keywords-without-dropout | The options are gathered in dicts, and that of the stack has no dropout; so the encoder keeps its own default, although dropout must reach every part that it concerns.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        ends = dict(vocab_size=vocab_size, d_model=d_model, pad_id=pad_id)
        stack = dict(norm_first=True)
        self.embed = TokenEmbedding(**ends)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, **stack)
        table = self.embed.embedding.weight
        with torch.no_grad():
            table.normal_(0, 0.02)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = table
    def forward(self, ids, start=0):
        steps = torch.arange(ids.size(1), device=ids.device)
        seen = (steps[:, None] >= steps)[None, None]
        return self.project(self.encoder(self.positions(self.embed(ids), start), seen))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: no-self-on-the-diagonal | The mask lets a position see only those strictly before it, not itself (tril with diagonal -1); the loss's shift hides the next token already, and the causal mask includes the diagonal.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.init.normal_(self.embed.embedding.weight, std=0.02)
    def forward(self, ids, start=0):
        length = ids.size(1)
        past = torch.ones(length, length, device=ids.device).tril(diagonal=-1).bool()
        x = self.embed(ids)
        x = self.positions(x, start)
        x = self.encoder(x, past.expand(1, 1, length, length))
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% wrong: untied-log-probabilities | Two mistakes. (1) The projection gets a clone of the embedding's matrix as a parameter of its own, so the two are equal at first but not one. (2) forward returns log-probabilities, as the Generator did, instead of logits.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        nn.init.normal_(self.embed.embedding.weight, std=0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.detach().clone())
    def forward(self, ids, start=0):
        placed = self.positions(self.embed(ids), start=start)
        hidden = self.encoder(placed, causal_mask(ids.size(1), ids.device))
        return F.log_softmax(self.project(hidden), dim=-1)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits

# %% right: gpt2-all-linears-small
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        _, t = ids.shape
        steps = torch.arange(t, device=ids.device)
        not_later = steps.view(1, 1, 1, t) <= steps.view(1, 1, t, 1)
        hidden = self.encoder(self.positions(self.embed(ids), start), not_later)
        return F.linear(hidden, self.embed.embedding.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits
