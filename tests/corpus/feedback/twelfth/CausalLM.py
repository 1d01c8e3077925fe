# %% wrong: second_parameter_over_same_numbers | TRUE CAUSE: nn.Parameter(...) around the embedding's weight makes a second parameter over the same numbers, so embedding and projection are not one and the same parameter: each has its own gradient and the matrix counts twice
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
# %% wrong: dropout_of_stack_fixed | TRUE CAUSE: the encoder is built with a dropout of 0.1 instead of the argument dropout, so another value (such as 0) does not reach the layers
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, 0.1, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.shape[1]).to(ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits
# %% wrong: own_drawn_before_tied | TRUE CAUSE: the projection's old weight is drawn with std 0.02 and then replaced by the embedding's weight, so the tied matrix keeps PyTorch's deviation of 1
def lower_triangle(n, device):
    return torch.ones(n, n, device=device).tril().bool()


class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        with torch.no_grad():
            self.project.weight.normal_(0, 0.02)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        n, t = ids.shape
        x = self.embed(ids)
        x = torch.cat([x.new_zeros(n, start, x.size(-1)), x], dim=1)
        x = self.positions(x)[:, start:]
        return self.project(self.encoder(x, lower_triangle(t, ids.device)))
# %% wrong: own_log_probabilities_returned | TRUE CAUSE: forward ends in log_softmax as the Generator of lesson 08 did, so it returns log-probabilities where the text asks for logits
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        nn.init.normal_(self.embed.embedding.weight, mean=0.0, std=0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        length = ids.size(1)
        row = torch.arange(length, device=ids.device)
        sees = row[None, :] <= row[:, None]
        x = F.pad(self.embed(ids), (0, 0, start, 0))
        x = self.positions(x)[:, -length:]
        for_each = self.project(self.encoder(x, sees))
        return for_each.log_softmax(dim=-1)
