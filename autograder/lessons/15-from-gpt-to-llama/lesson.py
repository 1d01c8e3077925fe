# %% [markdown]
# ## A novel, and no rule
#
# We made the stories of lesson 14 by rule, so that we could count what your GPT had learned. Now we
# give it a text that obeys no rule, the novel *Persuasion* by Jane Austen. It appeared in 1817, is
# in the public domain, and ships with the course. (Any other text file will do, in any language, if
# it has some hundred thousand characters.)
#
# First your GPT learns to read the novel, and we test your guess of what happens after token 128.
# Then you build a Llama, a language model by Meta, from parts of your own, and it reads the novel,
# too. In the end both of them write.

# %% name="novel"
from pathlib import Path

FILE = wb.texts.PERSUASION  # or the path of a text file of your own, such as "my_text.txt"
novel, last_chapters = wb.texts.read(FILE)
print(f"{len(novel):,} characters to learn from, {len(last_chapters):,} to validate on")
print(novel[-300:])

# %% [markdown]
# As in lesson 11, the tokens are sub-words, which we learn from this text.

# %% name="sub-words-of-the-novel"
VOCABULARY, WINDOW = 2000, 128  # tokens; how many are predicted at once
subwords = wb.translation.Subwords.learn(novel.split("\n"), VOCABULARY)
known_ids = torch.tensor(subwords.encode(novel))
unseen_ids = torch.tensor(subwords.encode(last_chapters))
print(f"{len(known_ids):,} tokens to learn from, {len(unseen_ids):,} unseen")
print(subwords.pieces_of(novel[-300:])[:40])


def windows(ids, starts, length=WINDOW):
    """From each start `length` tokens and the one after them, (N, length + 1)."""
    return ids[starts[:, None] + torch.arange(length + 1)]


validation = windows(unseen_ids, torch.arange(0, len(unseen_ids) - WINDOW, WINDOW)).split(16)

# %% [markdown]
# We cut windows of 129 tokens from the text, and the model predicts all but the first. Since all
# windows are equally long, we need no padding now.
#
# ## What you will be able to do
#
# - train a GPT on a real text, as GPTs are trained, and say what its **perplexity** means,
# - build **rotary** positions, and say what they do for a text longer than any in training,
# - let several heads share their keys and values, and count what that saves in the cache,
# - assemble a layer of Llama from your own parts, and find out which change brings the gain.
#
# It takes about 90 minutes, and 45 more with the parts that are marked as optional. You train two
# models on the novel, each in half a minute to four minutes on an ordinary computer.

# %% name="where-it-sits"
wb.progress(current=["apply_rotary", "GroupedQueryAttention", "LlamaLayer"])

# %% [markdown]
# This cell fetches your own parts of earlier lessons.

# %% name="setup"
split_heads, merge_heads, causal_mask = wb.use("split_heads", "merge_heads", "causal_mask")

# %% [markdown]
# ## Perplexity
#
# How do we tell whether a model reads a novel well? We can't list all true sentences of it, as we
# could with stories. But we can ask how much each next token surprises the model. **Perplexity** is
# $e$ to the mean cross-entropy of the next token ([Jelinek et al.
# 1977](https://doi.org/10.1121/1.2016299)). We read it as a number of tokens, since a model with a
# perplexity of 50 is as uncertain, on average, as if it had to choose among 50 tokens that are all
# equally likely. (If the same text is cut into other tokens, the perplexity changes, too.)
#
# *Predict, then run.* If a model always gives each of 2,000 tokens the same probability, what is
# its perplexity?

# %% name="guess-perplexity"
perplexity_of_no_idea = None

# %% name="reveal-perplexity"
wb.reveal(perplexity_of_no_idea)

# %% [markdown]
# A model that knows only how frequent each token is does better:

# %% name="perplexity-of-frequencies"
counts = torch.bincount(known_ids, minlength=len(subwords)) + 1.0  # no token is impossible
frequency = counts / counts.sum()
by_frequency = math.exp(-frequency[unseen_ids].log().mean())
print(f"perplexity by frequency alone: {by_frequency:.0f}")

# %% [markdown]
# Your GPT should do better still, since it also knows which tokens came before.
#
# ## How are GPTs trained?
#
# Your loop of lesson 09 would do. With three changes it becomes the one with which nearly all
# language models were trained for years, and each of the three answers a question.
#
# **What keeps a model from learning its text by heart?** A model overfits more slowly if its
# weights stay small. So at each step, **AdamW** makes every matrix a little smaller, $w \leftarrow
# w - \eta \lambda w$, where $\eta$ is the learning rate and $\lambda$ the **weight decay**, here
# 0.1. (Large models read most of their text once, and still train better with it, as [D'Angelo et
# al. 2024](https://arxiv.org/abs/2310.04415) found. Biases and norms don't decay.)
#
# **How large should a step be?** After the warm-up, **cosine decay** lets the rate fall along half
# a cosine ([Loshchilov and Hutter 2017](https://arxiv.org/abs/1608.03983)), in GPT-3 to a tenth of
# its peak ([Brown et al. 2020](https://arxiv.org/abs/2005.14165), appendix B).
#
# **What if a batch doesn't fit into memory?** GPT-3 took up to 3.2 million tokens for one step
# (Table 2.1), which no GPU holds. With the gradient accumulation of lesson 09, we cut such a
# batch into parts, run forward and backward on each, and take one step at the end. The gradients
# add up to that of the whole batch, if we weight the mean loss of each part by its share of the
# tokens.
#
# *Predict, then run.* A batch of 20 windows is cut into parts of 8, 8 and 4. By what do we multiply
# the mean loss of the last part?

# %% name="guess-parts"
weight_of_the_last_part = None

# %% name="reveal-parts"
wb.reveal(weight_of_the_last_part)

# %% [markdown]
# The next cell has all three changes, and draws the two schedules.
#
# <details><summary>Optional: newer schedules and optimizers, and many GPUs</summary>
#
# - **Why not put the decay into the gradient?** If we add $\lambda w$ to the gradient, Adam divides
#   it by the size of the gradients, and a weight with large ones hardly shrinks. AdamW keeps the
#   two apart ([Loshchilov and Hutter 2019](https://arxiv.org/abs/1711.05101)).
# - **What if we don't know how long we will train?** Many newer runs stay at the peak and fall only
#   at the end, whenever that is (**warm-up, stable, decay**, [Hu et al.
#   2024](https://arxiv.org/abs/2404.06395)). Some also give their matrices to a newer optimizer,
#   Muon ([Liu et al. 2025](https://arxiv.org/abs/2502.16982)).
# - **What do many GPUs do?** In **data parallelism** each has a copy of the model and takes a part
#   of the batch, and before the step they average their gradients ([Li et al.
#   2020](https://arxiv.org/abs/2006.15704)). If a model is too large for one GPU, each keeps only a
#   share of it ([Rajbhandari et al. 2020](https://arxiv.org/abs/1910.02054)).
#
# </details>

# %% name="how-gpts-are-trained"
CausalLM_, loss_of, write = wb.use("CausalLM", "next_token_loss", "generate")
rate_of, fuse = wb.use("noam_lr", "fuse")
PART = 8  # windows in memory at once


def adamw(parameters):
    parameters = list(parameters)
    groups = [
        {"params": [weight for weight in parameters if weight.dim() >= 2], "weight_decay": 0.1},
        {"params": [weight for weight in parameters if weight.dim() < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.95))


def cosine_rate(steps):
    """In place of noam_lr, for a run of `steps` steps; `peak` is the highest rate."""

    def rate(step, d_model, warmup, peak):
        if step < warmup:
            return peak * step / warmup
        done = min((step - warmup) / (steps - warmup), 1.0)  # 0 to 1
        return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * done)) / 2)

    return rate


def accumulating_step(model, batch, loss_fn, optimizer, scheduler):
    (ids,) = batch
    optimizer.zero_grad()
    total = 0.0
    for part in ids.to(device).split(PART):
        loss = loss_fn(model(part), part) * len(part) / len(ids)
        loss.backward()  # adds to the gradients
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    return total


def mean_loss(model, validation, loss_fn):
    model.eval()
    with torch.no_grad():
        losses = [loss_fn(model(ids.to(device)), ids.to(device)).item() for ids in validation]
    model.train()
    sizes = [len(ids) for ids in validation]
    return sum(loss * size for loss, size in zip(losses, sizes, strict=True)) / sum(sizes)


example = cosine_rate(1000)
places = list(range(1, 1001, 5))
wb.show.curves(
    {
        "Noam": (places, [rate_of(step, 128, 100, 0.34) for step in places]),
        "cosine": (places, [example(step, 128, 100, 3e-3) for step in places]),
    },
    title="Two schedules with the same peak, 100 steps of warm-up",
    x_label="step",
    y_label="learning rate",
)

# %% [markdown]
# ## Your GPT reads a novel
#
# The next cell chooses `"minute"`, or `"gpu"` on a computer with a GPU. Change its line `SETTING`
# if you have more time. The times of the first two rows were measured on one idle thread (a shared
# machine may need four times as long), and the last one on an H200.
#
# | `SETTING` | layers | `d_model` | parameters | steps | windows each | time |
# |---|---|---|---|---|---|---|
# | `"minute"` | 2 | 128 | 0.65 million | 480 | 8 | about a minute |
# | `"ten minutes"` | 4 | 128 | 1.05 million | 1,700 | 2 × 8 | about 10 minutes |
# | `"gpu"` | 6 | 384 | 11 million | 600 | 64 | 46 seconds |
#
# The `fuse` of lesson 12 puts fast attention layers and norms into your model.

# %% name="gpt-settings"
SETTINGS = {
    "minute": {"num_layers": 2, "d_model": 128, "num_heads": 4, "dropout": 0.1,
               "windows": 8, "steps": 480, "peak": 3e-3},
    "ten minutes": {"num_layers": 4, "d_model": 128, "num_heads": 4, "dropout": 0.2,
                    "windows": 16, "steps": 1700, "peak": 3e-3},
    "gpu": {"num_layers": 6, "d_model": 384, "num_heads": 6, "dropout": 0.3,
            "windows": 64, "steps": 600, "peak": 1e-3},
}  # fmt: skip
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
PART = 64 if device.type == "cuda" else 8
SETTING = "gpu" if device.type == "cuda" else "minute"
EPOCHS = 10  # equal parts of a run; the perplexity is measured after each

# %% quick="small-gpt"
SETTINGS["minute"] |= {"steps": 10, "windows": 2, "num_layers": 1}
validation = validation[:1]

# %% [markdown]
# `wb.fit` runs the loop of lesson 09 and saves the run beside this notebook. If it's interrupted,
# run the cell again, and it resumes. The model ends with the weights that did best on validation.
#
# *Predict, then run.* By frequency alone, the perplexity is about 530. Does your GPT get near 10,
# near 100, or only near 400?

# %% name="guess-gpt"
perplexity_of_gpt = None

# %% name="gpt-training"
chosen = SETTINGS[SETTING]


def new_writer():
    torch.manual_seed(0)
    sizes = {name: chosen[name] for name in ("d_model", "num_heads", "num_layers", "dropout")}
    model = CausalLM_(len(subwords), d_ff=4 * chosen["d_model"], **sizes)
    # `fuse` reads sizes by these names, which your classes may name otherwise
    wb.speed.name_parts(model, chosen["num_heads"], chosen["dropout"])
    return fuse(model)


def read_the_novel(model, name, setting):
    """Train the model on windows of the novel, the same ones in each call."""

    def batches_of(epoch):
        generator = torch.Generator().manual_seed(epoch)
        sizes = (setting["steps"] // EPOCHS, setting["windows"])
        starts = torch.randint(len(known_ids) - WINDOW, sizes, generator=generator)
        return [(windows(known_ids, row),) for row in starts]

    return wb.fit(
        model.to(device),
        batches_of,
        epochs=EPOCHS,
        train_step=accumulating_step,
        loss_fn=loss_of,
        noam_lr=cosine_rate(setting["steps"]),
        evaluate=mean_loss,
        validation=validation,
        optimizer=adamw,
        d_model=setting["d_model"],
        warmup=setting["steps"] // 10,
        factor=setting["peak"],
        checkpoint=f"{name.replace(' ', '-')}.pt",
        about={"file": Path(FILE).name, "setting": setting},
    )


writer = new_writer()
run = read_the_novel(writer, f"gpt {SETTING}", chosen)
print(f"perplexity of unseen text: {math.exp(run.best):.0f}, by frequency {by_frequency:.0f}")

# %% name="reveal-gpt"
wb.reveal(perplexity_of_gpt, round(math.exp(run.best)))

# %% name="gpt-perplexity"
at, losses = zip(*run.validation, strict=True)
wb.show.curves(
    {"perplexity": (list(at), [math.exp(loss) for loss in losses])},
    title="Perplexity of the last chapters",
    x_label="step",
    y_label="perplexity",
)

# %% [markdown]
# We got 147 with `"minute"`, and about 70 with each of the two larger settings. What does a model
# write at a perplexity of 147? Anne is the heroine of the novel, so we let your GPT continue
# `Anne`.


# %% name="first-text"
def continued(model, start, tokens=60, temperature=0.8, top_k=40, seed=0):
    """The text `start`, and the tokens that the model writes after it."""
    ids = torch.tensor([subwords.encode(start)], device=device)
    generator = torch.Generator(device).manual_seed(seed)
    text = subwords.decode(write(model, ids, tokens, temperature, top_k, generator)[0])
    return text.replace("\n", " ")


print(continued(writer, "Anne"))

# %% [markdown]
# Most sub-words join into words, names and punctuation stand where they may, and there are pieces
# of grammar. As with the stories, form comes first, while sense would need far more text. We have
# no more novels, but your GPT could at least read more of this one at a time.
#
# ## Twice the window
#
# In training your GPT's windows had 128 tokens. Now they have 256, and we look at the perplexity of
# each quarter.
#
# *Predict, then run.* The third quarter, tokens 128 to 191, has more text before it than any
# token had in training. Is its perplexity lower than that of the second quarter, the same, or
# higher?

# %% name="guess-longer"
third_quarter = None  # "lower", "the same" or "higher"

# %% name="reveal-longer"
long_ids = windows(unseen_ids, torch.arange(0, len(unseen_ids) - 256, 128), 256)


def by_quarter(model):
    """The perplexity of each quarter of windows twice as long as in training."""
    model.eval()
    losses = []
    for ids in long_ids.to(device).split(16):
        with torch.no_grad():
            logits = model(ids[:, :-1]).transpose(1, 2)  # (N, V, 256)
        losses.append(F.cross_entropy(logits, ids[:, 1:], reduction="none"))
    return [math.exp(quarter.mean()) for quarter in torch.cat(losses).chunk(4, dim=1)]


quarters_of_gpt = by_quarter(writer)
print("perplexity by quarter:", *(f"{value:.0f}" for value in quarters_of_gpt))
change = quarters_of_gpt[2] / quarters_of_gpt[1]
wb.reveal(third_quarter, "higher" if change > 1.02 else "lower" if change < 0.98 else "the same")

# %% [markdown]
# In one of our trainings it rose by a tenth in the third quarter, from 140 to 154. More text before
# a token should help, but here it harms. The sinusoids of positions 128 to 255 never occurred in
# training, so the model doesn't know the queries and keys that come from them. Reading well past
# the length of training is called **length extrapolation**, and for that we would like a key to
# tell only how far *back* it stands.
#
# ## Rotary positions
#
# Your `PositionalEncoding` adds a position to each vector, once, at the bottom. For its sinusoids,
# "three tokens back" is the same turn everywhere (lesson 05). But the model must learn that turn
# from sums in which each position is mixed with a word.
#
# **Rotary positions**, RoPE for short, make that turn a part of attention itself ([Su et al.
# 2021](https://arxiv.org/abs/2104.09864)). We **rotate** a query at position $m$ by the angle
# $m\theta$, and a key at position $n$ by $n\theta$. If we rotated both by the same angle, their dot
# product would stay as it is. So only the difference of the two angles counts, $(m - n)\theta$,
# which says how far *back* the key stands.
#
# *By hand.* We take two features and $\theta = 1$, and rotate the vector $(1, 0)$ as often as its
# position says:
#
# | position | angle | rotated |
# |---|---|---|
# | 0 | 0 | (1, 0) |
# | 1 | 1 | (0.54, 0.84) |
# | 2 | 2 | (-0.42, 0.91) |
# | 3 | 3 | (-0.99, 0.14) |
#
# Let query and key both be (1, 0). A key at 0 and a query at 2 have the score $1 \cdot (-0.42) + 0
# \cdot 0.91 = -0.42$, and positions 1 and 3 have $0.54 \cdot (-0.99) + 0.84 \cdot 0.14 = -0.42$.
# The distance is the same, and so is the score. At 5 and 7, both have turned further, by the same
# angle:

# %% name="turning-drawn"
wb.show.turning_together()

# %% [markdown]
# A query has more than two features, so we take them in pairs, $(0, 1), (2, 3), \ldots$, and give
# each pair a rate of its own, $\theta_i = \text{base}^{-2i/d_k}$, as in lesson 05.
#
# ## Your turn: apply_rotary
#
# `x` holds queries or keys, with their heads split, as `(..., T, d_k)`. The first one stands at
# position `start`, and position 0 stays as it is. If we rotate a point $(a, b)$ by $\alpha$, it
# becomes $(a \cos\alpha - b \sin\alpha,\; a \sin\alpha + b \cos\alpha)$.
#
# <details><summary>The fine print</summary>
#
# - `d_k` is even.
# - The result has the dtype of `x` and is on its device. Where that has 16 bits, the angles still
#   need float32, since bfloat16 cannot tell position 500 from 501.
#
# </details>

# %% answer="apply_rotary"

# %% check="apply_rotary"

# %% [markdown]
# Stuck? The blanks are called `angle`, `turned_first` and `turned_second`.

# %% name="hint-rotary"
wb.hint("turned_first")

# %% [markdown]
# Does a score depend on the distance alone now? We put one query and one key at every position in
# turn.

# %% name="scores-by-distance"
rotary = wb.use("apply_rotary")
torch.manual_seed(0)
query, key = torch.randn(2, 16)
queries, keys = query.expand(8, 16), key.expand(8, 16)
scores = rotary(queries) @ rotary(keys).T
wb.show.heat_map(
    scores,
    [str(place) for place in range(8)],
    [str(place) for place in range(8)],
    title="The score of one query with one key, by where they stand",
    row_axis="position of the query",
    column_axis="position of the key",
)

# %% [markdown]
# It does. Along each diagonal the scores are equal, because there the key stands equally far back.
# (One back and one ahead differ, as you see at 1, 0 and 0, 1.)
#
# Does that carry a model past 128 tokens? To measure it, we need a model around the rotation, and
# so we build one as today's models are built.
#
# ## What else has changed since 2017?
#
# Today's language models are your GPT, larger, with a few parts replaced:
#
# | what | 2017 | now | why |
# |---|---|---|---|
# | place of the norm | after the sum | before the sublayer | deep models train |
# | norm | LayerNorm | RMSNorm (lesson 03) | less to compute, as good |
# | activation | ReLU | GELU, then SwiGLU | lower loss at the same size |
# | positions | sinusoids, added once | rotary, in each attention | distances count |
# | biases | in feed-forward (yours also in attention) | none | large models train more stably |
# | keys and values | each head its own | heads share some | a smaller cache |
#
# GPT-2 has the first row's change and GELU. Llama has all of these changes, the last one in the
# larger models of Llama 2 ([Touvron et al. 2023](https://arxiv.org/abs/2307.09288), appendix
# A.2.1). You've built rotary positions already, and the last row, which belongs to attention, too,
# comes next.
#
# <details><summary>The paper for each row</summary>
#
# [Xiong et al. 2020](https://arxiv.org/abs/2002.04745), [Zhang and Sennrich
# 2019](https://arxiv.org/abs/1910.07467), [Shazeer 2020](https://arxiv.org/abs/2002.05202) (GELU is
# from [Hendrycks and Gimpel 2016](https://arxiv.org/abs/1606.08415), and GPT took it), [Su et al.
# 2021](https://arxiv.org/abs/2104.09864), [Chowdhery et al.
# 2022](https://arxiv.org/abs/2204.02311), section 2, and [Ainslie et al.
# 2023](https://arxiv.org/abs/2305.13245).
#
# </details>
#
# ## What a token costs
#
# While a model writes, the keys and values of all earlier tokens lie in the cache, and each new
# token reads all of them (lesson 13). How large does that cache get?
#
# *Predict, then run.* Llama 2 with 70 billion parameters has 80 layers of 64 heads, a head has 128
# features, and a number takes 2 bytes. How many bytes does one token add to the cache, if each head
# keeps a key and a value of its own, and how many, if the 64 heads share 8 keys and 8 values?

# %% name="guess-bytes"
bytes_of_64 = None
bytes_of_8 = None

# %% name="reveal-bytes"
wb.reveal(bytes_of_64)
wb.reveal(bytes_of_8)

# %% [markdown]
# So a text of 4,096 tokens takes 10.7 GB, and with shared keys and values an eighth of that. A
# server needs as much for each text that it writes at the same time, which is why larger models
# share keys and values.
#
# In **grouped-query attention** we cut the $H$ heads into groups of neighbors, and each group uses
# one key and one value ([Ainslie et al. 2023](https://arxiv.org/abs/2305.13245), section 2.2). If
# all heads share the same pair, it is called **multi-query attention**, which is older ([Shazeer
# 2019](https://arxiv.org/abs/1911.02150)).
#
# Here are four heads, and what a token keeps of them in each case:

# %% name="groups-drawn"
wb.show.grouped_queries()

# %% [markdown]
# ## Your turn: GroupedQueryAttention
#
# `GroupedQueryAttention` is self-attention, so it takes one `x`, `(N, T, D)`. `w_q` and `w_o` are
# as in lesson 02, while `w_k` and `w_v` make fewer heads. We rotate queries and keys, so we add no
# positions to the tokens.
#
# `cache` is a `KeyValueCache` of lesson 13. Each call puts its rotated keys and its values into it
# with `append`, and attends to all that this returns. But `F.scaled_dot_product_attention` needs a
# key for each head, so after keeping them, we repeat each key and value as often as its group has
# heads. (A newer PyTorch does that with `enable_gqa=True`.)
#
# <details><summary>The fine print</summary>
#
# - `num_heads` is a multiple of `num_kv_heads`, and no projection has a bias.
# - The mask has a column for each key that is attended to, those in the cache among them.
#
# </details>

# %% answer="GroupedQueryAttention"

# %% check="GroupedQueryAttention"

# %% [markdown]
# Stuck? The blanks are called `kv_width`, `rotated`, `kept`, `group` and `shared_by`.

# %% name="hint-groups"
wb.hint("shared_by")

# %% [markdown]
# ## A layer of Llama
#
# In a ReLU, each number alone decides whether it passes. Could a second number decide how much of
# it passes? In Llama's feed-forward network, one more matrix computes these second numbers, the
# **gate**, so the network is the SwiGLU that you fixed in lesson 04:
#
# $$\mathrm{SwiGLU}(x) = (\mathrm{SiLU}(x W_{gate}) \odot x W_{up})\, W_{down},
# \qquad \mathrm{SiLU}(z) = z \cdot \mathrm{sigmoid}(z)$$
#
# where $\odot$ multiplies elementwise.
#
# *By hand.* For one feature, $x = 1$, and the matrices 2, 3 and 1, the gate is $\mathrm{SiLU}(2) =
# 2 \cdot 0.8808 = 1.7616$, so the result is $1.7616 \cdot 3 \cdot 1 = 5.28$.
#
# With a third matrix of the same width, the network would be half as large again. The Transformer's
# two have a $d_{ff}$ of $4\, d_{model}$, so we make all three narrower by a third, and together
# they have about as many parameters as those two.
#
# Now we have all parts of a layer. Here it is beside one of GPT-2, from below as in Figure 1. Both
# have 4 heads, so 4 queries, which share 2 keys and 2 values in Llama:

# %% name="layer-drawn"
wb.show.llama_layer()

# %% [markdown]
# ## Your turn: LlamaLayer
#
# The layer is pre-norm, with `nn.RMSNorm`, PyTorch's version of the norm that you fixed in lesson
# 03. It has no dropout, since a large model sees most of its text once.
#
# <details><summary>The fine print</summary>
#
# - The parts keep the names that they have below.
#
# </details>

# %% answer="LlamaLayer"

# %% check="LlamaLayer"

# %% [markdown]
# Stuck? The blanks are called `attended`, `gated` and `output`.

# %% name="hint-layer"
wb.hint("gated")

# %% [markdown]
# ## The model around it
#
# Around the layers we need what GPT-2 has, an embedding below, and above a last norm and the tied
# projection (Llama 2 doesn't tie it). At the bottom we add no positions, since each attention has
# its own. Which has more parameters at the same width and depth, your GPT or your Llama? Guess
# before you run the cell.

# %% name="llama"
Layer = wb.use("LlamaLayer")


class Llama(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_kv_heads, num_layers, d_ff):
        super().__init__()
        sizes = (d_model, num_heads, num_kv_heads, d_ff)
        self.embed = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(Layer(*sizes) for _ in range(num_layers))
        self.norm = nn.RMSNorm(d_model, eps=1e-6)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.weight
        initialize(self, num_layers)

    def hidden(self, ids, mask, start, caches):
        x = self.embed(ids)
        for layer, cache in zip(self.layers, caches, strict=True):
            x = layer(x, mask, start, cache)
        return self.norm(x)

    def forward(self, ids, start=0):
        mask, no_caches = causal_mask(ids.size(1), ids.device), [None] * len(self.layers)
        return self.project(self.hidden(ids, mask, start, no_caches))

    def read_on(self, ids, start, caches):
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        return self.project(self.hidden(ids, mask, start, caches)[:, -1])

    @property
    def encoder(self):  # your generate makes a cache for each of its layers
        return self


def initialize(model, num_layers):
    """As in GPT-2: normal with a standard deviation of 0.02, less where a sublayer ends."""
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            ends = name.endswith(("w_o.weight", "w_down.weight"))
            nn.init.normal_(weight, std=0.02 / math.sqrt(2 * num_layers) if ends else 0.02)


torch.manual_seed(0)
# A d_ff of 344 is two thirds of 512, rounded up to a multiple of 8.
llama = Llama(len(subwords), 128, num_heads=4, num_kv_heads=2, num_layers=2, d_ff=344)
gpt = CausalLM_(len(subwords), 128, num_heads=4, num_layers=2, d_ff=512)
for name, model in (("GPT", gpt), ("Llama", llama)):
    print(f"{name}: {sum(weight.numel() for weight in model.parameters()):,} parameters")

# %% [markdown]
# Llama has a twentieth fewer, because its keys and values are half as wide.
#
# Your `generate` reads each token once, with the caches. Does the cache change a token? We write
# the same text again without it, by reading everything at each step.

# %% name="cached-or-not"
prompt = unseen_ids[None, :10]
cached, again = write(llama, prompt, 20, temperature=0), prompt
with torch.no_grad():
    for _ in range(20):
        again = torch.cat([again, llama(again)[:, -1:].argmax(dim=-1)], dim=1)
print("the same tokens:", torch.equal(cached, again))

# %% [markdown]
# It doesn't. Now your Llama reads the novel, with the steps and the windows of `"minute"`, where
# our GPT came to 147. Guess its perplexity before you run the cell.

# %% name="llama-reads"
run_of_llama = read_the_novel(llama, "llama", SETTINGS["minute"])
print(f"perplexity of unseen text: {math.exp(run_of_llama.best):.0f}")

# %% [markdown]
# In our training its perplexity fell to 86. Does that show in what it writes? Below, both of your
# models continue the same three words, and the cell doesn't say which is which. (If your GPT was
# trained with a larger setting, it may well be the better writer.)

# %% name="two-writers"
writers = {"GPT": writer, "Llama": llama}
order = [list(writers)[place] for place in torch.randperm(2)]
for place, name in zip(("first", "second"), order, strict=True):
    print(place)
    for start in ("She", "Anne", "The"):
        print("   ", continued(writers[name], start, tokens=40, seed=1))

# %% [markdown]
# *Predict, then run.* Read them aloud. Which of the two is your Llama?

# %% name="guess-writer"
written_by_llama = None  # "first" or "second"

# %% name="reveal-writer"
wb.reveal(written_by_llama, "first" if order[0] == "Llama" else "second")

# %% [markdown]
# Here is how our two continued `She`:
#
# > **GPT:** She would be be been. They were as she could not not not be be be not not say
#
# > **Llama:** She could be an evening, but her sister was in her to Anne.
#
# Neither makes sense, but our Llama keeps a sentence together, while our GPT stammers. We let each
# write 80 texts, and counted the tokens that repeat the one before. They were 3.8 % of the GPT's
# tokens and 1.3 % of Llama's. In the novel itself, they are 0.9 %.
#
# ### What has brought the gain?
#
# Your Llama took as many steps as your GPT, and it has slightly fewer parameters. But besides
# smaller changes, it rotates, and it has no dropout. Did one of these two bring the gain? To find
# out, we trained four more GPTs, each with dropout and one change. From one of them we took the
# positions away, so it has only the causal mask to tell it the order of the tokens (lesson 05).
#
# *Predict, then run.* Is the perplexity of the GPT without positions higher than 147, the same, or
# lower?

# %% name="guess-no-positions"
without_positions = None  # "higher", "the same" or "lower"

# %% name="reveal-no-positions"
wb.reveal(without_positions)

# %% [markdown]
# These are all five:
#
# | GPT | perplexity |
# |---|---|
# | as you built it | 147 |
# | with embeddings that begin as large as in the authors' code (lesson 08) | 102 |
# | with sinusoids a third as large | 98 |
# | without any positions | 93 |
# | with rotary positions | 85 |
#
# All five have dropout, and the last is as good as Llama (86), so it wasn't dropout. Most of the
# gain doesn't come from the rotation either, but from what the four changes have in common. Before
# training, the numbers of a token's vector in your GPT are about $0.02 \cdot \sqrt{128} = 0.23$,
# while those of its position are about 0.7 (lesson 05), so the word drowns in its position. In the
# other four it doesn't.
#
# The rotation itself adds the step from 93 to 85. (It doesn't cure the stammer, since our GPT with
# rotary positions stammers, too, and these five runs don't tell what does.) The other changes since
# 2017 hardly show in a model as small as this one, while their papers measured them on models a
# hundred to many thousand times as large. But the cache is smaller already, since your Llama keeps
# half as many numbers for each token.
#
# ### Read on past 128
#
# The rotation was built for distances, though, so we look once more past token 128, where your
# GPT's perplexity rose. Your Llama reads there twice, the second time with each position halved. So
# 256 tokens, squeezed together, stand at 0, 0.5, 1, ..., 127.5, where the model knows its way
# around. This is **position interpolation** ([Chen et al.
# 2023](https://arxiv.org/abs/2306.15595)), which the third line of the picture shows.
#
# Does your Llama's perplexity rise, too, if we leave its positions as they are? Guess before you
# run the cell.


# %% name="llama-longer"
def squeezed(x, start=0, base=10000.0):
    """Rotate as your apply_rotary does, at half of each position."""
    angle = torch.arange(start, start + x.size(-2), device=x.device)[:, None] / 2
    angle = angle * base ** (-torch.arange(0, x.size(-1), 2, device=x.device) / x.size(-1))
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2)


def rows_by_quarter():
    yield "GPT", quarters_of_gpt
    for name, rotate in {"Llama": apply_rotary, "Llama, squeezed": squeezed}.items():
        for layer in llama.layers:
            layer.attention.rotate = rotate
        yield name, by_quarter(llama)


middles = [32, 96, 160, 224]  # of the quarters
wb.show.curves(
    {name: (middles, quarters) for name, quarters in rows_by_quarter()},
    title="Perplexity of each quarter of 256 tokens",
    x_label="token",
    y_label="perplexity",
    mark=(128, "training: 128"),
)

# %% [markdown]
# Here are the numbers that we got:
#
# | perplexity of tokens | 0 to 63 | 64 to 127 | 128 to 191 | 192 to 255 |
# |---|---|---|---|---|
# | GPT | 143 | 140 | 154 | 150 |
# | Llama | 88 | 83 | 86 | 86 |
# | Llama, squeezed | 97 | 93 | 94 | 94 |
#
# With rotary positions Llama loses little at twice the length, but it doesn't gain from the longer
# text either. Near keys stand at distances that it knows, while distances over 127 never occurred
# in training. Your small model may be lucky, because most of its heads look at near tokens. In
# large ones, the scores of far keys can get so high that they ruin the attention (abstract of Chen
# et al.).
#
# Squeezing costs something everywhere, as neighbors now stand only half a position apart. But the
# last quarter is as good as the others, and some more training on such positions repairs the rest.
# That is how Llama models that were trained on 2,048 tokens learned to read 32,768 (Chen et al.,
# Table 4).

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A model has 32 heads and shares 8 keys and values. A friend would like to save
# more, and shares the *queries* as well, 8 of them for the 32 heads. Why does that save nothing in
# the cache? And what is left of the 32 heads?

# %% [markdown] rubric="1"
# 1 point: a query is used only by its own token, once, so it is never kept; the cache holds keys
# and values alone. 1 point: heads of a group with the same query, key and value compute the same
# weights and the same result, so 8 different heads are left (it would be a model with 8 heads).

# %% [markdown] model="1"
# The cache holds what later tokens need, which is the keys and values of earlier ones. A query is
# used once, by its own token, and is never kept, so sharing queries saves nothing there. And heads
# with the same query, key and value find the same, so of the 32 heads only 8 different ones are
# left.

# %% [markdown] question="2" points="2"
# **Question 2.** Two models were trained on the same novel. One has a vocabulary of 2,000 tokens
# and a perplexity of 70, the other one of 10,000 tokens and a perplexity of 110. Why does that not
# show that the first is better? And how could you compare them?

# %% [markdown] rubric="2"
# 1 point: perplexity is a mean over tokens, and with the larger vocabulary there are fewer and
# longer tokens, each of which says more and is harder to predict. 1 point: compare the loss of the
# same text as a whole, or per character or per byte (the sum of all tokens' losses divided by the
# same number).

# %% [markdown] model="2"
# Perplexity is measured for each token. With 10,000 tokens the same text is cut into fewer, longer
# ones, and each is harder to predict since it says more. To compare them, add up the losses of all
# tokens of the same text, and divide both sums by the same number, such as its characters.

# %% [markdown]
# ## Optional: how much text is enough?
#
# Your models write words, and little sense. Would it help to train on and on? It would not, because
# the perplexity of *unseen* text rises again when a model learns its novel by heart, which is the
# **overfitting** of lesson 09. On the H200 we once trained for 1,500 steps. Within the first third,
# the perplexity fell to 72, but in the end it was 102. That's why `"gpu"` stops at 600.
#
# More text does help. GPT-2 read 40 GB, nearly 100,000 times as much as this novel, so we ask how
# much text a model needs.
#
# Ten times the parameters lower the loss by a fixed factor, and so do ten times the tokens, or ten
# times the computation, unless one of the others runs short ([Kaplan et al.
# 2020](https://arxiv.org/abs/2001.08361), Figure 1). With this **scaling law** we can predict a
# large run from a few small ones. To make the most of a given amount of computation, [Hoffmann et
# al. 2022](https://arxiv.org/abs/2203.15556) trained more than 400 models, and found that
# parameters and tokens should grow alike. So their model Chinchilla read about 20 tokens for each
# parameter.
#
# *Predict, then run.* Your novel has about 113,000 tokens. By that rule, how many parameters should
# a model have that reads it?

# %% name="guess-parameters"
parameters_for_a_novel = None

# %% name="reveal-parameters"
wb.reveal(parameters_for_a_novel, len(known_ids) // 20)

# %% [markdown]
# Even the smallest setting has more than a hundred times as many parameters. Most models of today
# read far more than 20 tokens for each parameter, because a small model costs less to use.

# %% [markdown]
# ## Optional: a better way to draw
#
# `top_k` keeps a fixed *number* of tokens ([Fan et al. 2018](https://arxiv.org/abs/1805.04833)).
# But after `Captain` a few names are likely, and after `the` hundreds of words. So we put the
# nucleus sampling of lesson 10 to use, which keeps the likeliest tokens whose probabilities
# together just reach a limit, here called `top_p`. These tokens are the nucleus.
#
# Your `generate` takes any model that has a `read_on`. So we wrap your Llama in a `WithTopP`, which
# divides the logits by the temperature first, as most libraries do, and removes what lies outside
# the nucleus.


# %% name="top-p"
def nucleus(logits, top_p):
    """Minus infinity for all but the likeliest tokens that together reach top_p; (..., V)."""
    ordered = logits.sort(dim=-1, descending=True).values
    shares = ordered.softmax(dim=-1)
    before = shares.cumsum(dim=-1) - shares  # of all tokens that are likelier
    least = ordered.masked_fill(before >= top_p, math.inf).amin(dim=-1, keepdim=True)
    least = least.minimum(ordered[..., :1])  # the likeliest is always kept
    return logits.masked_fill(logits < least, -math.inf)


class WithTopP(nn.Module):
    def __init__(self, model, temperature, top_p):
        super().__init__()
        self.model, self.temperature, self.top_p = model, temperature, top_p
        self.encoder = model.encoder

    def read_on(self, ids, start, caches):
        logits = self.model.read_on(ids, start, caches)
        return nucleus(logits / self.temperature, self.top_p)


for layer in llama.layers:
    layer.attention.rotate = apply_rotary  # its positions are no longer squeezed
for name, model, temperature, top_k in (
    ("temperature 0", llama, 0, None),
    ("temperature 1", llama, 1.0, None),
    ("temperature 0.8, top_k 40", llama, 0.8, 40),
    ("temperature 0.8, top_p 0.9", WithTopP(llama, 0.8, 0.9), 1.0, None),
):
    print(name)
    print("   ", continued(model, "Anne", 80, temperature, top_k))

# %% [markdown]
# At temperature 0 your Llama soon repeats itself, and at 1 it draws a rare token now and then,
# which leads it astray. In between, and with `top_k` or `top_p`, it keeps to likely tokens, and
# still differs each time.

# %% [markdown]
# ## Optional: two ways to pair
#
# Meta's code of Llama rotates neighboring features together, as you do. The same model in Hugging
# Face's `transformers` pairs feature $i$ with feature $i + d_k/2$, and yet both predict the same.
# How can that be? The rows of `w_q.weight` and `w_k.weight` decide which features are neighbors. A
# script that converts the weights puts these rows into another order, in each head, and all scores
# stay as they are, here those of the heat map above:


# %% name="two-ways-to-pair"
def rotate_halves(x):
    first, second = x.chunk(2, dim=-1)  # features i and i + d_k / 2
    angle = torch.arange(len(x))[:, None] * 10000.0 ** (-torch.arange(0, 16, 2) / 16)
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], dim=-1)


order = [*range(0, 16, 2), *range(1, 16, 2)]  # 0 2 4 ..., then 1 3 5 ...
theirs = rotate_halves(queries[:, order]) @ rotate_halves(keys[:, order]).T
print(f"largest difference of a score: {(theirs - scores).abs().max():.1e}")

# %% [markdown]
# ## Optional: GPT-2 in your own classes
#
# The weights of GPT-2 ([Radford et al. 2019](https://github.com/openai/gpt-2)) are public. The
# smallest one is `CausalLM(50257, 768, num_heads=12, d_ff=3072, num_layers=12)`, with 124 million
# parameters. You built most of it in lesson 14, but three things differ, and `wb.gpt2.load` changes
# them in your model:
#
# | | your `CausalLM` | GPT-2 |
# |---|---|---|
# | positions | sinusoids | learned, 1,024: your `LearnedPositionalEmbedding` of lesson 05 |
# | activation | ReLU | GELU |
# | embedding | times the root of `d_model` | not scaled |
#
# (And the `eps` of its norms is $10^{-5}$.) Then `load` copies each published tensor to its place
# by name, and avoids two traps. `c_attn` holds your `w_q`, `w_k` and `w_v` side by side, and all
# matrices are stored as `(in, out)`, for $xW$, where `nn.Linear` has `(out, in)`.
#
# If you have a network, set `READ_GPT_2` to `True`. Then the cell fetches 548 MB, once, and the
# model takes 1.2 GB of memory.

# %% name="gpt-2"
READ_GPT_2 = False

if READ_GPT_2:
    learned_positions, norm_class = wb.use("LearnedPositionalEmbedding", "LayerNorm")
    try:
        gpt2, pieces = wb.gpt2.load(CausalLM_, learned_positions, norm_class)
        prompt = torch.tensor([pieces.encode("The dog").ids])
        greedy = write(gpt2, prompt, 18, temperature=0)[0].tolist()
        print(pieces.decode(greedy))
        print("the same as Hugging Face's GPT-2:", greedy == list(wb.gpt2.THE_DOG))
    except wb.gpt2.NoWeights as problem:
        print(problem)

# %% [markdown]
# (`THE_DOG` are the tokens that Hugging Face's
# [transformers](https://github.com/huggingface/transformers) expects of its own GPT-2, in its
# published tests.) Replace the prompt by your own, and let it write at a temperature of 0.8.

# %% [markdown]
# ## What you built
#
# You've built a layer of Llama from your own parts, with rotary positions, grouped queries, a gate,
# and a cache that doesn't change a token. And still, as in lesson 01, only a query that looks for
# its keys moves anything from one token to another.
#
# Models of today differ from yours in size above all. Some are mixtures of experts, with many
# networks in each layer, of which a token uses only a few (lesson 04). When a new one is published,
# look for its configuration file, which names the layers, the heads, the keys and the base of the
# rotation, and you'll know what each of them is for.

# %% name="progress"
wb.progress()
