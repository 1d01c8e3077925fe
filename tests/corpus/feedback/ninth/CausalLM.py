# %% wrong: encoder_without_dropout | TRUE CAUSE: the call of Encoder names norm_first=True but leaves out dropout, so the layers always use Encoder's default of 0.1 and ignore the dropout that CausalLM was given
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits

# %% wrong: tied_by_new_parameter | TRUE CAUSE: nn.Parameter(embedding.weight.data) makes a second Parameter over the same memory instead of using the same one, so the projection and the embedding have separate gradients and the model lists the matrix twice
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.data)
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(vectors.size(1), device=ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits

# %% wrong: own_init_before_tying | TRUE CAUSE: normal_(std=0.02) is applied to the Linear's own weight before that is replaced by the embedding's, so the shared matrix keeps nn.Embedding's standard deviation of 1 and the logits of a new model are not near 0
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        # output side
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
        # middle
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = Encoder(
            num_layers=num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=True,
        )
        # input side, shared with the output side
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.project.weight = self.embed.embedding.weight

    def _place(self, emb, start):
        if start == 0:
            return self.positions(emb)
        empty = emb.new_zeros(emb.shape[0], start, emb.shape[2])
        return self.positions(torch.cat((empty, emb), dim=1))[:, start:]

    def forward(self, ids, start=0):
        x = self._place(self.embed(ids), start)
        x = self.encoder(x, causal_mask(ids.shape[1], ids.device))
        return self.project(x)

# %% wrong: own_raw_lookup | TRUE CAUSE: forward looks the ids up in self.embed.embedding directly instead of calling self.embed, so the vectors lack TokenEmbedding's factor of the root of d_model before positions are added
class CausalLM(nn.Module):
    """GPT: token table -> positions -> masked pre-norm stack -> the same table again."""

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        table = nn.Parameter(torch.randn(vocab_size, d_model) * 0.02)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = table
        self.project.weight = table
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)

    def forward(self, ids, start=0):
        N, T = ids.shape
        tok = self.embed.embedding(ids)
        tok = self.positions(F.pad(tok, (0, 0, start, 0)))[:, -T:]
        see = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()[None, None]
        return self.project(self.encoder(tok, see))
