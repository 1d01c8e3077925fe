# %% right: twelfth_own_sigmoid_by_tanh
def swiglu(x, w_gate, w_up, w_down):
    def silu(z):
        return z * (1 + torch.tanh(z / 2)) / 2
    sentences = [torch.mm(silu(torch.mm(s, w_gate)) * torch.mm(s, w_up), w_down) for s in x]
    return torch.stack(sentences)
# %% right: tenth_own_both_at_once
def swiglu(x, w_gate, w_up, w_down):
    d_ff = w_gate.shape[1]
    both = torch.einsum("ntd,df->ntf", x, torch.cat([w_gate, w_up], dim=1))
    z, up = both.split(d_ff, dim=-1)
    open_by = torch.sigmoid(z)
    return torch.einsum("ntf,fd->ntd", z * open_by * up, w_down)
# %% right: own_sentence_by_sentence
def swiglu(x, w_gate, w_up, w_down):
    results = []
    for sentence in x:
        z = sentence.mm(w_gate)
        swish = torch.sigmoid(z).mul(z)
        results.append((swish * sentence.mm(w_up)).mm(w_down))
    return torch.stack(results, dim=0)
# %% right: eleventh_own_word_by_word
def swiglu(x, w_gate, w_up, w_down):
    def one_word(v):
        z = v @ w_gate
        open_by = z.sigmoid()
        return (z * open_by * (v @ w_up)) @ w_down
    return torch.stack([torch.stack([one_word(v) for v in sentence]) for sentence in x])
