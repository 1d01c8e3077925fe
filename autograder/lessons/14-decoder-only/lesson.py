# %% [markdown]
# ## Pairs are rare
#
# The translator learned from pairs, a German number and its translation, and each pair had to be
# made. For most things that we'd like a model to learn, we have no pairs, but a lot of text. To see
# what a model may learn from text alone, we take the translator's cross-attention away once more.
# Since it no longer sees the source, which words can it still get right?

# %% name="without-cross-attention"
wb.translator.compare(7, 54, 24687, without="cross-attention")

# %% [markdown]
# The translator writes the same number three times, because it no longer sees which one is asked
# for. So it gets a word right only by chance, as `six` and `hundred` in 24687. But its number is
# correct English, so even without a source, the decoder knows which word may follow `six`, and
# which may follow `hundred`. It needs no pairs to learn that, since the text itself is the teacher,
# which is called **self-supervised learning**.
#
# ## What you will be able to do
#
# - build GPT from your own parts, as an encoder with a causal mask and one matrix at both ends,
# - train it on plain text, with no pairs and no labels,
# - let it write, with a temperature, `top_k`, and a cache, so that each position is read once,
# - count how many of its texts are true, and how many it has not merely remembered,
# - say where a head looks when it has nothing to look for.
#
# It takes about 90 minutes, and a quarter of an hour more with the optional part. You train the
# model here, which takes half a minute to four minutes on an ordinary computer.
#
# ## How many exercises are in a text?
#
# *By hand.* We take the text `ann has 7 nuts`. One token, `<end>`, separates texts, and it also
# stands before the first one, so that we have something to begin with.
#
# | position | the model reads | it predicts |
# |---|---|---|
# | 0 | `<end>` | `ann` |
# | 1 | `<end> ann` | `has` |
# | 2 | `<end> ann has` | `7` |
# | 3 | `<end> ann has 7` | `nuts` |
# | 4 | `<end> ann has 7 nuts` | `<end>` |
#
# Every token but the first is the right answer to an exercise, and the model does all exercises of
# a text in one pass. Since it predicts the next token, we call it a **language model**.
#
# *Predict, then run.* A batch holds 32 texts, each of 20 tokens, both `<end>` included, and no
# padding. How many next tokens are predicted and compared in one step of training?

# %% name="guess-exercises"
exercises = None

# %% name="reveal-exercises"
wb.reveal(exercises)

# %% [markdown]
# Each text has one exercise fewer than tokens, so even this small batch gives us 608 of them.
#
# ## A decoder without a source
#
# *Where it sits.* You already have all parts of a language model, and only put them together
# differently. In Figure 1, the decoder has three sublayers, but without a source the middle one,
# cross-attention, has no memory to read, so we take it out. Which layer does that leave?
#
# | | attention to itself | cross-attention | feed-forward | mask |
# |---|---|---|---|---|
# | decoder layer | yes | yes | yes | causal |
# | decoder layer without a source | yes | | yes | causal |
# | encoder layer | yes | | yes | padding |
#
# The last two rows differ in the mask alone. **A decoder without cross-attention is an encoder with
# a causal mask.** GPT is such a **decoder-only** model ([Radford et al. 2018](
# https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf)).

# %% name="gpt-beside-figure-1"
wb.show.gpt()

# %% [markdown]
# The encoder is gone, and so is the attention layer that read from it. The norm stands before each
# sublayer, as in GPT-2. We keep everything else as you've built it, while GPT itself learns its
# positions and uses GELU. The last linear layer and the embedding share one matrix, as in lesson 08
# (section 3.4 of the paper).

# %% name="where-it-sits"
wb.progress(current=["CausalLM", "next_token_loss", "next_token_probabilities", "generate"])

# %% [markdown]
# This cell fetches your own parts of earlier lessons.

# %% name="setup"
TokenEmbedding, PositionalEncoding = wb.use("TokenEmbedding", "PositionalEncoding")
Encoder, causal_mask = wb.use("Encoder", "causal_mask")
KeyValueCache, cached_layer = wb.use("KeyValueCache", "cached_layer")

# %% [markdown]
# ## Your turn: CausalLM
#
# Two texts of 6 tokens pass through the model like this, with a vocabulary of 43 tokens:

# %% name="way-of-the-text"
wb.show.shapes(
    [
        ("ids", (2, 6)),
        ("embed", (2, 6, 64)),
        ("positions", (2, 6, 64)),
        ("encoder, causal mask", (2, 6, 64)),
        ("project: the logits", (2, 6, 43)),
    ],
    title="CausalLM",
)

# %% [markdown]
# - The layers are **pre-norm** (`norm_first=True`), as in GPT-2. Your `Encoder` takes `num_layers`
#   first, then the sizes.
# - With **tied weights**, embedding and projection share one and the same parameter, `(V, D)`.
#   (Your `TokenEmbedding` keeps it in its `embedding`.)
# - **Padding gets no mask of its own**, because it stands at the end of a text, where the causal
#   mask of lesson 06, `(1, 1, T, T)`, hides it from all real tokens before it.
# - The model returns **logits**, since the loss and the sampling take the softmax.
# - `read_on` is written for you, and we come to it when the model writes.
#
# <details><summary>The fine print</summary>
#
# - The parts are called `embed`, `positions`, `encoder` and `project`.
# - `start` is the position of the first token of `ids`, as in lesson 05. A token that follows 5
#   others, read in an earlier call, comes with `start=5`. It is passed by its name or by its place.
# - The tied matrix is drawn from a normal distribution with a standard deviation of 0.02, so all
#   logits of a new model are near 0, and no token is preferred. The other matrices may be drawn in
#   the same way, as in GPT-2, or stay as they are. The norms start as in lesson 03.
# - `dropout` and `pad_id` reach every part that they concern. The mask is made on the device of the
#   ids (`causal_mask` takes a length and a device).
# - The check compares your logits at padding, too.
# - PyTorch has such a stack ready-made as `nn.TransformerEncoder`. You have your own, so the check
#   and grading refuse it here, and the layers that it is made of.
#
# </details>
#
# Fill the four blanks.

# %% answer="CausalLM"

# %% check="CausalLM"

# %% [markdown]
# Stuck? The blanks are called `stack`, `tied`, `mask` and `logits`.

# %% name="hint-model"
wb.hint("stack")

# %% [markdown]
# ### The same as PyTorch's?
#
# PyTorch has no GPT, but its `nn.TransformerEncoder` with `norm_first` and a causal mask is the
# same stack. We copy your weights into it and compare all logits.

# %% name="same-as-torch"
model_class = wb.use("CausalLM")
torch.manual_seed(0)
ours = model_class(43, 64, num_heads=4, d_ff=128, num_layers=2).eval()
layer = nn.TransformerEncoderLayer(
    64, 4, 128, dropout=0.0, layer_norm_eps=1e-6, batch_first=True, norm_first=True
)
norm = nn.LayerNorm(64, eps=1e-6)
theirs = nn.TransformerEncoder(layer, 2, norm, enable_nested_tensor=False).eval()
wb.copy_weights(ours.encoder, theirs)
ids = torch.randint(0, 43, (8, 20))
hidden_from_them = nn.Transformer.generate_square_subsequent_mask(20)
with torch.no_grad():
    vectors = ours.positions(ours.embed(ids))
    torchs = theirs(vectors, mask=hidden_from_them, is_causal=True) @ ours.embed.embedding.weight.T
    difference = (ours(ids) - torchs).abs().max().item()
print(f"largest difference of a logit: {difference:.1e}")

# %% [markdown]
# The two differ by rounding alone.
#
# ## Your turn: next_token_loss
#
# In lesson 09 you cut each target into the tokens that the decoder reads and those that it should
# predict, while here the model reads the whole text, and the loss does the cutting. For `<end> ann
# has 7 <end> <pad>` we expect:
#
# | logits at position | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | expected | `ann` | `has` | `7` | `<end>` | `<pad>`: does not count | none |
#
# The result is the mean cross-entropy of the four that count, for which you may use
# `F.cross_entropy`.
#
# <details><summary>The fine print</summary>
#
# - The result is a tensor without axes.
# - There is always at least one token that counts.
#
# </details>

# %% answer="next_token_loss"

# %% check="next_token_loss"

# %% [markdown]
# Stuck? The blanks are called `predicted`, `expected` and `loss`.

# %% name="hint-loss"
wb.hint("loss")

# %% [markdown]
# **A mistake that you'll meet** is to leave out the shift, so that each position predicts the token
# that it has just read. Then the loss is near 0 after two hundred steps, and the model writes one
# token forever.
#
# ## A text to learn from
#
# We let the model read little stories about numbers, all of them true. Each story that it writes
# will be either true or false, so instead of *feeling* how well it writes, we can count.

# %% name="stories"
import random
import re
from itertools import permutations, product

PRONOUN = dict.fromkeys(["ann", "eva", "lea", "zoe"], "she")
PRONOUN |= dict.fromkeys(["ben", "max", "sam", "tom"], "he")
THINGS = ["apples", "keys", "nuts", "pens", "plums", "shells"]
MORE_AND_LESS = [(n, k) for n in range(2, 13) for k in range(1, n)]


def numbers(n, m):
    return " ".join(str(i) for i in (range(n, m + 1) if n < m else range(n, m - 1, -1)))


kinds = {
    "gives": [
        f"{a} has {n} {x} . {PRONOUN[a]} gives {b} {k} . now {a} has {n - k} and {b} has {k} ."
        for (a, b), x, (n, k) in product(permutations(PRONOUN, 2), THINGS, MORE_AND_LESS)
    ],
    "loses": [
        f"{a} has {n} {x} . {PRONOUN[a]} loses {k} . now {PRONOUN[a]} has {n - k} {x} ."
        for a, x, (n, k) in product(PRONOUN, THINGS, MORE_AND_LESS)
    ],
    "finds": [
        f"{a} has {n - k} {x} . {PRONOUN[a]} finds {k} more . now {PRONOUN[a]} has {n} {x} ."
        for a, x, (n, k) in product(PRONOUN, THINGS, MORE_AND_LESS)
    ],
    "count": [f"count from {n} to {m} : {numbers(n, m)} ." for n, m in permutations(range(13), 2)],
}
true_stories = {story for stories in kinds.values() for story in stories}
for kind, stories in kinds.items():
    random.Random(0).shuffle(stories)
    print(f"{len(stories):6,} {kind}: {stories[0]}")

# %% [markdown]
# These are *all* true stories. The model reads four of five, and we test it with the rest, which it
# never sees. In every batch, a quarter of the stories is of each kind.

# %% name="ids"
unseen = {kind: stories[: len(stories) // 5] for kind, stories in kinds.items()}
known = {kind: stories[len(stories) // 5 :] for kind, stories in kinds.items()}
known_stories = {story for stories in known.values() for story in stories}
words = sorted({word for story in true_stories for word in story.split()})
tokens = ["<pad>", "<end>", *words]
PAD, END = 0, 1
id_of = {token: number for number, token in enumerate(tokens)}
LONGEST = 2 + max(len(story.split()) for story in true_stories)


def to_ids(story):
    ids = [END, *(id_of[word] for word in story.split()), END]
    return ids + [PAD] * (LONGEST - len(ids))


def to_text(ids):
    text = " ".join(tokens[number] for number in ids.tolist()[1:])  # without the first <end>
    return text.split(" <end>")[0]


tables = [torch.tensor([to_ids(story) for story in stories]) for stories in known.values()]
test_ids = torch.tensor([to_ids(story) for stories in unseen.values() for story in stories[:50]])


def draw_batch(size=32):
    """Known stories, as many of each kind, (size, LONGEST)."""
    return torch.cat([table[torch.randint(len(table), (size // 4,))] for table in tables])


print(len(tokens), "tokens:", " ".join(tokens))
print(f"{len(known_stories):,} stories to learn from, {len(true_stories - known_stories):,} unseen")

# %% [markdown]
# ### How low can the loss get?
#
# *Predict, then run.* A perfect model reads `<end> ann has 7 nuts . she loses 4 . now she has 3
# nuts . <end>`, and predicts the 16 tokens after the first. How many of them can it not know for
# certain?

# %% name="guess-surprises"
surprises = None

# %% name="reveal-surprises"
wb.reveal(surprises)

# %% [markdown]
# No model can know `ann`, `7`, `nuts`, `loses` and `4` in advance, so the loss can't reach 0. What
# do these five surprises cost? For each story, we draw one of 4 kinds, and then one of the $n$
# stories of that kind. So a story has the probability $1/(4n)$, and even for a perfect model its
# loss is $-\ln \frac{1}{4n} = \ln 4 + \ln n$, which all of its tokens share. The mean of this loss
# is called the **entropy**.

# %% name="floor"
from statistics import fmean

surprise = fmean(math.log(4) + math.log(len(stories)) for stories in kinds.values())
length = fmean(fmean(len(story.split()) + 1 for story in stories) for stories in kinds.values())
floor = surprise / length
print(f"a story: {surprise:.2f}, shared by {length:.1f} tokens: {floor:.3f} for each")
print(f"guessing among {len(tokens)} tokens: {math.log(len(tokens)):.3f}")

# %% [markdown]
# Everything that the model can learn lies between these two numbers.
#
# ## From logits to a token
#
# While the model learns, we want to read what it writes. It returns logits for the next token, and
# we have to choose a token from them. If we always took the likeliest one, the model would always
# write the same story. So we **sample**, that is, we draw a token with the model's own
# probabilities, and keep two dials:
#
# - The **temperature** divides the logits (lessons 01 and 10). Below 1, likely tokens get likelier
#   still, and at 0 the likeliest one has probability 1, which is greedy decoding.
# - **`top_k`** keeps the `top_k` likeliest tokens only, and all others get probability 0.
#
# *By hand.* Four tokens have the logits 2, 1, 0 and -1:
#
# | | `7` | `8` | `nuts` | `.` |
# |---|---|---|---|---|
# | as they are | 0.64 | 0.24 | 0.09 | 0.03 |
# | temperature 0.5 | 0.86 | 0.12 | 0.02 | 0.00 |
# | temperature 2 | 0.46 | 0.28 | 0.17 | 0.10 |
# | `top_k=2` | 0.73 | 0.27 | 0 | 0 |
# | temperature 0 | 1 | 0 | 0 | 0 |
#
# ## Your turn: next_token_probabilities
#
# The vocabulary is the last axis of the logits, `(..., V)`, and `least` is the smallest logit that
# we keep (`logits.topk(k)` finds the largest).
#
# <details><summary>The fine print</summary>
#
# - The logits have any number of axes before the last.
# - The temperature is 0 or more. `top_k` is 1 or more, and if it is larger than the vocabulary, all
#   tokens are kept.
# - Logits equal to `least` are kept with it. (No two logits of a row are equal in the check.)
#
# </details>

# %% answer="next_token_probabilities"

# %% check="next_token_probabilities"

# %% [markdown]
# Stuck? The blanks are called `least`, `cut` and `probabilities`.

# %% name="hint-probabilities"
wb.hint("least")

# %% [markdown]
# ## Writing with a cache
#
# To write, the model predicts a token, reads it, predicts the next one, and so on. The text that we
# begin with is called the **prompt**. Since the keys and values of tokens that were read don't
# change (lesson 13), we keep them, and read each position only once.
#
# *Predict, then run.* The prompt has 5 tokens, and 10 new ones follow. How many positions go
# through the layers in all, if each step reads everything so far, and how many with a cache?

# %% name="guess-positions"
without_cache = None
with_cache = None

# %% name="reveal-positions"
wb.reveal(without_cache)
wb.reveal(with_cache)

# %% [markdown]
# Without a cache, the first step reads 5 positions, and each later step one more than the step
# before. With a cache, we read every token once, except for the last, which nothing follows.
#
# ## Your turn: generate
#
# The model has a method for writing, `read_on(ids, start, caches)`. It reads the next tokens of
# each text with the same layers, and returns the logits of the token after the last one, `(N, V)`.
# It keeps the keys and values in the caches of lesson 13, one for each layer of
# `model.encoder.layers`. A `KeyValueCache(longest)` has room for `longest` positions.
#
# You make the caches, and fill the three blanks in the loop. There `unread` holds the tokens that
# the model hasn't read yet, at first the whole prompt, and later the newest token alone.
#
# - `start` counts the tokens that were read before.
# - Every row draws its own token, from `next_token_probabilities`, with `torch.multinomial`.
#
# <details><summary>The fine print</summary>
#
# - All random numbers come from `generator` (if it is None, from torch's global one), so the same
#   seed writes the same text.
# - All rows of `ids` are equally long, and hold no padding. Nothing stops at `<end>`, because the
#   caller cuts the result there.
# - Afterwards the model is back in the mode that it was in.
#
# </details>

# %% answer="generate"

# %% check="generate"

# %% [markdown]
# Stuck? The blanks are called `caches`, `start`, `token` and `unread`.

# %% name="hint-generate"
wb.hint("unread")

# %% [markdown]
# ## Before training
#
# We let a new model write 200 texts, and a judge counts how many of them are:
#
# - **well-formed**, so that with other numbers they would be true,
# - **true**,
# - **new**, which means that they are true and not in the training data.
#
# How many should be new? A fifth of all true stories was kept from the model, so if it has
# understood, we expect a fifth of its true stories to be new, and if it only remembers, none.

# %% name="before-training"
CausalLM_, loss_of, write = wb.use("CausalLM", "next_token_loss", "generate")
rate_of = wb.use("noam_lr")
SIZES = {"d_model": 64, "num_heads": 4, "d_ff": 128, "num_layers": 2, "dropout": 0.0}
STEPS = 2000
well_formed = {re.sub(r"\d+", "#", story) for story in true_stories}


def texts(model, temperature=1.0, top_k=None, count=200):
    begin = torch.full((count, 1), END)
    generator = torch.Generator().manual_seed(0)
    ids = write(model, begin, LONGEST - 1, temperature, top_k, generator)
    return [to_text(row) for row in ids]


def judge(stories):
    """The shares of well-formed, of true, and of true and new stories."""
    verdicts = [
        (re.sub(r"\d+", "#", story) in well_formed, story in true_stories,
         story in true_stories - known_stories)
        for story in stories
    ]  # fmt: skip
    return [sum(column) / len(stories) for column in zip(*verdicts, strict=True)]


torch.manual_seed(0)
model = CausalLM_(len(tokens), **SIZES)
print(f"{sum(parameter.numel() for parameter in model.parameters()):,} parameters")
written = texts(model)
print(written[0])
print("well-formed {:.0%}, true {:.0%}, new {:.0%}".format(*judge(written)))

# %% quick="few-steps"
STEPS = 20

# %% [markdown]
# ## Training, live
#
# The new model writes tokens at random, so we train it, with the step of lesson 09 (forward, loss,
# backward, clip, step) and the learning rate of your `noam_lr`. Every now and then the model
# writes, and the judge counts. Before you run the cell, guess in which order the model learns
# grammar, arithmetic, and who is `he`.


# %% name="training"
def fit(model, steps, seen_by=lambda step, loss: None, progress=None):
    progress = progress or wb.steps(steps)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda done: rate_of(done + 1, SIZES["d_model"], 100, 0.4)
    )
    model.train()
    for step, _ in zip(range(1, steps + 1), progress, strict=False):
        ids = draw_batch()
        loss = loss_of(model(ids), ids)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        seen_by(step, loss.item())


def loss_on_unseen(model, start=0):
    model.eval()
    with torch.no_grad():
        return loss_of(model(test_ids, start=start), test_ids).item()


history = {"step": [], "loss": [], "unseen": [], "well-formed": [], "true": [], "new": []}


def look(step, loss):
    if step not in (STEPS // 20, STEPS // 10) and step % (STEPS // 5):
        return
    written = texts(model)
    unseen_loss = loss_on_unseen(model)
    model.train()
    values = [step, loss, unseen_loss, *judge(written)]
    for name, value in zip(history, values, strict=True):
        history[name].append(value)
    shares = "loss {1:.2f}  well-formed {3:4.0%}  true {4:4.0%}  new {5:4.0%}".format(*values)
    print(f"{step:5} {shares}  {written[0]}")


fit(model, STEPS, look)

# %% name="shares"
steps = torch.tensor(history["step"])
wb.show.curves(
    {name: (steps, torch.tensor(history[name])) for name in ("well-formed", "true", "new")},
    title="Of 200 stories that the model writes",
    x_label="step",
    y_label="share",
)

# %% name="losses"
late = steps[2:]
lines = {
    "one training batch": (late, torch.tensor(history["loss"][2:])),
    "on unseen stories": (late, torch.tensor(history["unseen"][2:])),
    "as low as chance allows": (late[[0, -1]], torch.tensor([floor, floor])),
}
wb.show.curves(lines, title="The loss of the next token, later", x_label="step", y_label="loss")

# %% [markdown]
# The form comes first, with names, verbs and periods. Then the model learns who is `he`, and that
# the names stay the same, and the arithmetic comes last. After 400 steps, many of the well-formed
# stories are still false, but at the end hardly any. We never told the model about names or
# numbers, let alone how to subtract, and it learned all of that because it predicts the next token
# better that way.
#
# At the end about nine stories of ten are true, and the loss stays just above the entropy per
# token, which is as low as chance allows. Nearly a fifth of the true ones are new, so the model
# hasn't just remembered its stories, but **generalizes** to others.
#
# ### Someone gives to himself
#
# Some stories are still false, so we look at a few of them.

# %% name="mistakes"
for story in [text for text in texts(model) if text not in true_stories][:6]:
    print(story)

# %% [markdown]
# Some have a wrong sum, but others are more interesting, so look for someone who gives to himself
# (`tom gives tom 2`), or for a count from a number to itself. The training data held no such story,
# but it's hard to notice what is *missing* from a text.
#
# ### It completes what we begin
#
# A model that writes false stories may still complete the true ones that we begin. To find out, we
# give it the beginnings of unseen stories as prompts, and take the likeliest token each time.
#
# *Predict, then run.* Of 100 beginnings, how many does it end correctly?

# %% name="guess-complete"
right_of_100 = None


# %% name="complete"
def beginning(story):
    """Up to where nothing is left to chance."""
    return re.match(r".*?(now|:)", story)[0]


shares = []
for kind, stories in unseen.items():
    prompts = [beginning(story) for story in stories[:100]]
    ids = torch.tensor([[END, *(id_of[word] for word in prompt.split())] for prompt in prompts])
    ends = [to_text(row) for row in write(model, ids, LONGEST - ids.size(1), temperature=0)]
    right = sum(end == story for end, story in zip(ends, stories, strict=False)) / len(prompts)
    print(f"{kind}: {right:4.0%} right. {prompts[0]} →{ends[0].removeprefix(prompts[0])}")
    shares.append(right)
wb.reveal(right_of_100, round(100 * fmean(shares)))

# %% [markdown]
# It ends almost all of them correctly, and yet it writes false stories, so question 2 asks how both
# can be.
#
# ### Truth against variety
#
# *Predict, then run.* How many different stories do we get, if we let the model write 200 of them
# at temperature 0? Guess, too, how many stay true at temperature 2.

# %% name="guess-different"
different_at_0 = None

# %% name="temperatures"
print("temperature  well-formed  true  new  different stories")
for temperature in (0, 0.5, 1.0, 1.5, 2.0):
    written = texts(model, temperature)
    formed, right, new = judge(written)
    print(f"{temperature:11} {formed:12.0%} {right:5.0%} {new:4.0%} {len(set(written)):18}")
formed, right, new = judge(texts(model, 1.5, top_k=4))
print(f"1.5 with top_k of 4: well-formed {formed:.0%}, true {right:.0%}")
wb.reveal(different_at_0)

# %% [markdown]
# At 0 we get one story 200 times, so either all of them are true or none is. Above 0, a higher
# temperature brings more variety and less truth, because unlikely tokens are mostly wrong tokens.
# So `top_k`, which cuts off the least likely of them, makes more stories true. With large models,
# too, we choose between truth and variety.
#
# ### Where does it look?
#
# Which tokens does the model need to write the next number after `ann has 9 nuts . she loses 4 .
# now she has`? In the picture, each row is one of its 8 heads, and the columns are the tokens that
# the head may look at.

# %% name="where-it-looks"
story = "ann has 9 nuts . she loses 4 . now she has"
ids = torch.tensor([[END, *(id_of[word] for word in story.split())]])
with torch.no_grad():
    logits = model.eval()(ids)[0, -1]
attentions = [part for part in model.modules() if hasattr(part, "w_q")]
heads = torch.cat([attention.weights[0, :, -1] for attention in attentions])
likeliest = logits.softmax(dim=-1).topk(3)
for probability, number in zip(*likeliest, strict=True):
    print(f"{tokens[number]}: {probability:.2f}")
wb.show.heat_map(
    heads,
    [f"layer {layer} head {head}" for layer in (1, 2) for head in (1, 2, 3, 4)],
    ["<end>", *story.split()],
    title='What the heads look at from the last "has"',
    row_axis="head",
    column_axis="token",
    values=False,
)

# %% [markdown]
# Some heads look at the 9 and others at the 4, with nearly all their weight. Often one looks at the
# verb, which says whether to add or to subtract. The heads fetch, the feed-forward networks after
# them compute, and which head does what differs from training to training.
#
# Does one of your heads look at `<end>`, which can't know of ann?
#
# ### Nothing to look for
#
# In lesson 01, a softmax had to put its weight somewhere, even where no key matched. So where does
# a head look that has nothing to look for? The first token, `<end>`, carries no news, because every
# story begins with it, and it sees only itself. We measure how much weight each head puts on
# `<end>`, averaged over all tokens of unseen stories from position 6 on. Then we hide `<end>` from
# these tokens.
#
# *Predict, then run.* Does the loss stay the same, or does it rise?

# %% name="guess-sinks"
loss_without_end = None  # "the same" or "higher"


# %% name="sinks"
@torch.no_grad()
def loss_from_6(end_is_hidden):
    """The loss from position 6 on, where an attention may see `<end>` or not."""
    mask = causal_mask(LONGEST).clone()
    mask[..., 6:, 0] = not end_is_hidden
    logits = model.project(model.encoder(model.positions(model.embed(test_ids)), mask))
    return loss_of(logits[:, 6:], test_ids[:, 6:]).item()


seen, hidden = loss_from_6(False), loss_from_6(True)
print(f"loss: {seen:.2f}, without <end>: {hidden:.2f}")
wb.reveal(loss_without_end, "higher" if hidden > seen + 0.02 else "the same")
with torch.no_grad():
    model(test_ids)
later = (test_ids != PAD)[:, 6:]  # (N, T - 6)
for layer, attention in enumerate(attentions, 1):
    on_end = attention.weights[:, :, 6:, 0].transpose(0, 1)  # (H, N, T - 6)
    print(f"layer {layer}:", *(f"{weights[later].mean():.2f}" for weights in on_end))

# %% [markdown]
# In one of our trainings, a head put 28 % of its weight on `<end>` on average, and more than half
# at three positions of ten. A token that is always there, and on which heads rest when they have
# nothing to look for, is called an **attention sink** ([Xiao et al.
# 2023](https://arxiv.org/abs/2309.17453)). In most of our trainings the model relied on it, so
# without `<end>` the loss rose from 0.28 to 0.39 or more, while in the others it hardly rose. (From
# position 6 on, most surprises are over, so a perfect model would reach 0.24 there.)
#
# Large models rest on their first tokens far more. If such a model writes on and on, and we throw
# the oldest keys and values out of a full cache, it fails as soon as the first tokens are gone,
# while keeping four of them is enough (their Table 2).
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** The encoder of the translator has a padding mask, while `CausalLM` has none,
# although its batches hold padding. Why is that no mistake, if padding stands at the end? And what
# would go wrong if padding stood at the *beginning* of each text?

# %% [markdown] rubric="1"
# 1 point: under the causal mask no real token sees what stands after it, so padding at the end
# changes no real token's vector; its own predictions are ignored by the loss. 1 point: padding at
# the beginning stands before the real tokens, so they see it, and their positions are shifted; it
# would need a padding mask (and positions that count from the first real token).

# %% [markdown] model="1"
# Under the causal mask a token sees only what is before it. Padding at the end is after every real
# token, so it changes none of them, and the loss ignores what the padding itself predicts. At the
# beginning, padding would be before all real tokens: they would give weight to it, and their
# positions would be shifted. That would need a padding mask, and positions counted from the first
# real token.

# %% [markdown] question="2" points="2"
# **Question 2.** At temperature 1 the model writes a false story now and then, though it completes
# almost every unseen beginning correctly. Explain how both can be true. And a low temperature, such
# as 0.5, makes more stories true. Why, and what does it cost?

# %% [markdown] rubric="2"
# 1 point: at temperature 1 unlikely tokens are drawn now and then, each with a small probability,
# and one of about 20 draws is enough to spoil a story; the completions take the likeliest token
# only (and leave nothing to chance in what is asked). 1 point: a low temperature avoids unlikely
# tokens, wrong ones and rare right ones alike, so the stories get more alike; at 0 all are the
# same.

# %% [markdown] model="2"
# At temperature 1 each token is drawn by its probability, so an unlikely one comes now and then,
# and one wrong draw among about 20 spoils a story. A completion takes the likeliest token each
# time, so nothing is left to chance. A low temperature makes unlikely tokens rarer, wrong ones and
# unusual right ones alike. So more stories are true, and they are more alike; at temperature 0 they
# are all the same.

# %% [markdown]
# ## In its place
#
# In lesson 01 you wrote five lines that compare queries with keys. Since then you've built heads,
# norms, masks, two stacks, a training loop, a search, a cache, and now a language model that
# learned from text alone. It tells a story from any beginning in its vocabulary, so give it one of
# your own.

# %% name="in-its-place"
prompt = "zoe has 12 plums . she gives max"  # or another, from the tokens printed above
ids = torch.tensor([[END, *(id_of[word] for word in prompt.split())]])
print(to_text(write(model, ids, LONGEST - ids.size(1), temperature=0)[0]))

# %% [markdown]
# ## Optional: sixteen layers
#
# Your model has two layers, and GPT-2 has up to 48. To see what depth needs, we train three models
# of 16 layers at a constant learning rate, without warm-up. The first is post-norm, as in 2017, and
# the second is pre-norm, as yours is. The third is pre-norm, too, but the weights of the last
# linear layer in each sublayer, `w_o` or `w_2`, begin $\sqrt{2 \cdot 16}$ times smaller.
#
# Guess which learns fastest, and which hardly at all, before you run the cells.

# %% name="deep"
DEEP_STEPS = 60

# %% quick="few-steps-deep"
DEEP_STEPS = 2

# %% name="deep-trained"
curves, progress = {}, wb.steps(3 * DEEP_STEPS)
for name in ("post-norm", "pre-norm", "pre-norm, scaled"):
    torch.manual_seed(0)
    deep = CausalLM_(len(tokens), **{**SIZES, "num_layers": 16})
    deep.encoder = Encoder(16, 64, 4, 128, 0.0, norm_first=name != "post-norm")
    if name == "pre-norm, scaled":
        with torch.no_grad():
            for place, weight in deep.encoder.named_parameters():
                if "w_o" in place or "w_2" in place:
                    weight /= math.sqrt(2 * 16)
    optimizer = torch.optim.Adam(deep.parameters(), lr=0.003, betas=(0.9, 0.98), eps=1e-9)
    curves[name] = []
    for _ in zip(range(DEEP_STEPS), progress, strict=False):
        ids = draw_batch()
        loss = loss_of(deep(ids), ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curves[name].append(loss.item())
    print(f"{name}: loss {sum(curves[name][-10:]) / len(curves[name][-10:]):.2f}")
wb.show.curves(curves, title="16 layers, no warm-up", x_label="step", y_label="loss")

# %% [markdown]
# Post-norm stays near 3.39, the loss of a model that only knows how frequent each token is. Its
# first steps are too large, and with a warm-up over these 60 steps it came down to 1.51. In
# pre-norm the residual connections leave the gradient a free way from the loss to every layer, so
# we need no warm-up here. GPT-2 moved the norm before each sublayer, and most models since have it
# there.
#
# The third curve falls a little faster still, to 1.17 instead of 1.26. In pre-norm every sublayer
# adds to the residual stream of lesson 07. Since no norm interrupts it, this sum grows from layer
# to layer, and the layers near the top change it less and less. GPT-2 therefore **initializes** the
# last matrix of each sublayer smaller, by the root of the number of sublayers ([Radford et al.
# 2019](https://github.com/openai/gpt-2), section 2.3). Then the sum hardly grows, however many
# layers there are.
#
# ## What comes after
#
# GPT-2 is nearly your model, with 124 million parameters and more, and so is GPT-3, with 96 layers.
# A second round of training, called **fine-tuning**, turns such a model into a helpful assistant,
# but like your model, the assistant still reads some tokens and predicts the next.
#
# Your model has read stories that were made by rule. On a novel it will learn, after a fashion, to
# write like Jane Austen, reading 128 tokens at once. Then we hand it twice as many, so after token
# 128 it has more text before it than ever in training. Does it predict better there, or worse?
# Guess before you open lesson 15, **from GPT to Llama**.

# %% name="progress"
wb.progress()
