# %% wrong: returns_log_probabilities | TRUE CAUSE: forward applies log_softmax to the projection as in lesson 08, so it returns log-probabilities instead of the logits that the text asks for
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1)).to(ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden).log_softmax(dim=-1)  # (N, T, V)
        return logits
# %% wrong: wrapped_in_a_new_parameter | TRUE CAUSE: project.weight is a new nn.Parameter around the embedding's storage instead of the same Parameter, so there are two parameters with separate gradients (counted and updated twice), and they come apart when moved or assigned
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight)
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1)).to(ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits
# %% wrong: own_start_is_ignored | TRUE CAUSE: forward never uses start, so the positions are always counted from 0 and a continued text is placed at the beginning
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        table = self.embed.embedding.weight
        nn.init.normal_(table, mean=0.0, std=0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = table

    def forward(self, ids, start=0):
        length = ids.shape[1]
        sees = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        x = self.positions(self.embed(ids))
        return self.project(self.encoder(x, sees))
# %% wrong: own_drawn_before_tying | TRUE CAUSE: the embedding is drawn with std 0.02 and then replaced by the projection's undrawn weight, so the tied matrix has nn.Linear's default start, not a normal one of deviation 0.02
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        parts = {
            "embed": TokenEmbedding(vocab_size, d_model, pad_id),
            "positions": PositionalEncoding(d_model, dropout),
            "encoder": Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True),
            "project": nn.Linear(d_model, vocab_size, bias=False),
        }
        for name, part in parts.items():
            self.add_module(name, part)
        nn.init.normal_(self.embed.embedding.weight, std=0.02)
        self.embed.embedding.weight = self.project.weight

    def forward(self, ids, start=0):
        n, t = ids.shape
        x = self.embed(ids)
        empty = x.new_zeros(n, start, x.size(-1))
        x = self.positions(torch.cat([empty, x], dim=1))[:, -t:]
        h = self.encoder(x, causal_mask(t).to(ids.device))
        return h @ self.project.weight.T
