# %% [markdown]
# ## What you will be able to do
#
# - build GPT from your own parts: an encoder with a causal mask, and one matrix at both ends,
# - train it on plain text, with no pairs and no labels,
# - let it write: temperature, `top_k`, `top_p`, and a cache, so that each position is read once,
# - train it on a real text as GPTs are trained, with AdamW, cosine decay and accumulated gradients,
#   and measure its perplexity,
# - say what changed between the paper's Transformer and the models of today, and measure it.
#
# It takes about 150 minutes, in three parts: the model and its first text, what has changed since
# 2017, and a real text. The models are trained here, each in a minute or two on an ordinary
# computer.

# %% [markdown]
# ## The problem: pairs are rare
#
# The translator learned from pairs: a German number and its translation. Somebody had to make them.
# For most of what we would like a model to learn there are no pairs. But there is text, and a lot
# of it.
#
# What does a translator know if it never hears of the source? We throw its cross-attention away
# once more. This time, look at what is *right*:

# %% name="without-cross-attention"
wb.translator.compare(7, 54, 24687, without="cross-attention")

# %% [markdown]
# The numbers are the wrong ones, but each is a number in correct English. Which word may follow
# `six`, and which may follow `hundred`, the decoder knows without any source. That knowledge needs
# no pairs. The text is the teacher.
#
# ### By hand: N tokens are N exercises
#
# Take the text `ann has 7 nuts`. One token, `<end>`, separates texts; it also stands before the
# first one, so that there is something to begin with.
#
# | position | the model reads | it predicts |
# |---|---|---|
# | 0 | `<end>` | `ann` |
# | 1 | `<end> ann` | `has` |
# | 2 | `<end> ann has` | `7` |
# | 3 | `<end> ann has 7` | `nuts` |
# | 4 | `<end> ann has 7 nuts` | `<end>` |
#
# Every token but the first is the right answer to an exercise, and all exercises of a text are done
# in one pass. A model that predicts the next token is called a **language model**.
#
# ### Predict, then run
#
# A batch holds 32 texts, each of 20 tokens, both `<end>` included, and no padding. How many next
# tokens are predicted and compared in one step of training?

# %% name="guess-exercises"
exercises = None

# %% name="reveal-exercises"
mistakes = {
    "The first token of each text is given, so each text has one exercise fewer.": 32 * 20,
    "Every position predicts, not the last one alone.": 32,
    "That is one text. The batch holds 32 of them.": 19,
}
wb.reveal(exercises, 32 * 19, mistakes)

# %% [markdown]
# ## Where it sits
#
# Nothing new has to be built, only put together differently. In Figure 1, the decoder has three
# sublayers. Without a source, the middle one, cross-attention, has nothing to read. Take it out:
#
# | | attention to itself | cross-attention | feed-forward | mask |
# |---|---|---|---|---|
# | decoder layer | yes | yes | yes | causal |
# | decoder layer without a source | yes | | yes | causal |
# | encoder layer | yes | | yes | padding |
#
# The last two rows differ in the mask alone. **A decoder without cross-attention is an encoder with
# a causal mask.** That is GPT ([Radford et al. 2018](
# https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf)).

# %% name="gpt-beside-figure-1"
wb.show.gpt()

# %% [markdown]
# Two things left: the encoder, and the attention that read it. One thing changed since 2017: where
# the norm stands (GPT-2 moved it). Everything else is what you have built. The last linear layer
# and the embedding hold one matrix, as in lesson 08 (section 3.4 of the paper).

# %% name="where-it-sits"
wb.progress(
    current=["CausalLM", "next_token_loss", "next_token_probabilities", "generate", "apply_rotary"]
)

# %% [markdown]
# This cell fetches your own parts of earlier lessons:

# %% name="setup"
TokenEmbedding, PositionalEncoding = wb.use("TokenEmbedding", "PositionalEncoding")
Encoder, causal_mask = wb.use("Encoder", "causal_mask")
KeyValueCache, cached_layer = wb.use("KeyValueCache", "cached_layer")

# %% [markdown]
# ## Your turn: CausalLM
#
# This is how 2 texts of 6 tokens pass through it, with a vocabulary of 43 tokens:

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
# - The parts are called `embed`, `positions`, `encoder` and `project`.
# - The layers are **pre-norm** (`norm_first=True`), as in GPT-2. Why, you will measure below. Your
#   `Encoder` takes `num_layers` first, then the sizes.
# - **Tied weights**: embedding and projection hold one and the same parameter, `(V, D)`. (Your
#   `TokenEmbedding` keeps it in its `embedding`.) It is drawn from a normal distribution with a
#   standard deviation of 0.02: all logits of a new model are near 0, and no token is preferred.
# - It returns **logits**. The loss and the sampling take the softmax.
# - `dropout` and `pad_id` reach every part that they concern. The mask is made on the device of
#   the ids.
# - **Padding gets no mask of its own.** It stands at the end of a text, and the causal mask hides
#   it from all real tokens before it. (The check compares what padding finds, too.)
# - `causal_mask` of lesson 06 takes a length and a device, and returns a mask (1, 1, T, T).
# - `start` is the position of the first token of `ids`, as in lesson 05. A token that follows 5
#   others, read in an earlier call, stands at position 5: `start=5`.
# - `read_on` is for writing, further down. It is written for you: the same layers, called one by
#   one with the caches of lesson 12, and the logits after the last token alone.
#
# Fill the four blanks. (Check and grading refuse `nn.TransformerEncoder` here, and the layers that
# it is made of. You have your own.)

# %% answer="CausalLM"

# %% check="CausalLM"

# %% [markdown]
# Stuck? The blanks are called `stack`, `tied`, `mask` and `logits`.

# %% name="hint-model"
wb.hint("stack")

# %% [markdown]
# ### The same as PyTorch's?
#
# PyTorch has no GPT. But its `nn.TransformerEncoder` with `norm_first` and a causal mask is the
# same stack. We copy your weights into it and compare all logits:

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
# What is left is rounding.
#
# ## Your turn: next_token_loss
#
# In lesson 09 you cut each target into what the decoder reads and what it should predict. Here the
# model reads the whole text, and the loss does the cutting. For `<end> ann has 7 <end> <pad>`:
#
# | logits at position | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | expected | `ann` | `has` | `7` | `<end>` | `<pad>`: does not count | none |
#
# The result is the mean cross-entropy of the four that count, a tensor without axes. There is
# always at least one. (You may use `F.cross_entropy`.)

# %% answer="next_token_loss"

# %% check="next_token_loss"

# %% [markdown]
# Stuck? The blanks are called `predicted`, `expected` and `loss`.

# %% name="hint-loss"
wb.hint("loss")

# %% [markdown]
# **A mistake that you will meet:** without the shift each position predicts the token that it has
# just read. The loss is near 0 after two hundred steps, and the model writes one token forever.
#
# ## A text to learn from
#
# Our text is little stories, and each one is either true or false. That way we need not *feel*
# whether the model writes well: we can count.

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
# These are *all* true stories. The model reads four of five. The rest it never sees, and we test
# with them. Each kind makes up a quarter of every batch.

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
# Not to 0. After `<end>` any name may follow, and after `ann has` any number. No model can know
# which, and even a perfect one is surprised by it. How much, follows from how the stories are
# drawn: one of 4 kinds, then one of all stories of this kind. That costs
# $\ln 4 + \ln(\text{how many})$ for a whole story, shared by its tokens.

# %% name="floor"
from statistics import fmean

surprise = fmean(math.log(4) + math.log(len(stories)) for stories in kinds.values())
length = fmean(fmean(len(story.split()) + 1 for story in stories) for stories in kinds.values())
floor = surprise / length
print(f"a story: {surprise:.2f}, shared by {length:.1f} tokens: {floor:.3f} for each")
print(f"guessing among {len(tokens)} tokens: {math.log(len(tokens)):.3f}")

# %% [markdown]
# Between these two numbers lies all that there is to learn here.
#
# ## From logits to a token
#
# The model returns logits for the next token. Which token do we take? The likeliest one, always?
# Then it would always write the same story. So we **draw** one, with the model's own probabilities,
# and keep two dials:
#
# - The **temperature** divides the logits (lessons 01 and 10). Below 1, likely tokens get likelier
#   still. At 0 the likeliest one has probability 1: greedy decoding.
# - **`top_k`** keeps the `top_k` likeliest tokens only. All others get probability 0.
#
# ### By hand
#
# Four tokens with the logits 2, 1, 0 and -1:
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
# The logits have any number of axes, `(..., V)`; the vocabulary is the last. No two logits of a row
# are equal in the check. The temperature is 0 or more. `top_k` is 1 or more, and may be larger than
# the vocabulary: then all tokens are kept.
# `least` is the smallest logit that is kept. (`logits.topk(k)` finds the largest.)

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
# begin with is the **prompt**. Keys and values of what was read do not change (lesson 12), so they
# are kept, and each position is read once.
#
# ### Predict, then run
#
# A prompt of 5 tokens, and 10 new ones. How many positions go through the layers in all, if each
# step reads everything so far? And how many, with a cache?

# %% name="guess-positions"
without_cache = None
with_cache = None

# %% name="reveal-positions"
mistakes = {
    "The first step reads 5 positions, the last one 14. Add up the ten steps.": 10 * 15,
    "Each step reads one position more than the one before: 5, 6, 7 and so on.": 10 * 5,
    "The last new token is drawn, but never read: nothing follows it.": sum(range(5, 16)),
    "The first step reads the prompt, 5 positions, and not 1.": sum(range(1, 11)),
}
wb.reveal(without_cache, sum(range(5, 15)), mistakes)
mistakes = {
    "The last new token is drawn, but never read: nothing follows it.": 15,
    "The prompt is read, too: 5 positions in the first step.": 10,
}
wb.reveal(with_cache, 5 + 9, mistakes)

# %% [markdown]
# ## Your turn: generate
#
# The model has a method for it, `read_on(ids, start, caches)`. It reads the next tokens of each
# text, keeps their keys and values in the caches, one for each layer of `model.encoder.layers`, and
# returns the logits of the token after the last one, `(N, V)`. You make the caches, and write the
# loop. `unread` holds the tokens that the model has not read yet: the whole prompt at first, then
# the newest token alone. Afterwards, even after an error, the model is in its mode again.
#
# - `start` is how many tokens were read before.
# - Every row draws its own token, from `next_token_probabilities`, with `torch.multinomial`.
# - All random numbers come from `generator` (if it is None, from torch's global one). So the same
#   seed writes the same text.
# - All rows of `ids` are equally long, and hold no padding. Nothing stops at `<end>`: the caller
#   cuts the result there.

# %% answer="generate"

# %% check="generate"

# %% [markdown]
# Stuck? The blanks are called `caches`, `start`, `token` and `unread`.

# %% name="hint-generate"
wb.hint("unread")

# %% [markdown]
# ## Before training
#
# A new model, 200 texts, and a judge. It counts three things:
#
# - **well-formed**: a true story, if we overlook which numbers are in it,
# - **true**: a true story,
# - **new**: a true story that was not in the training data. (A fifth of all true stories is new. So
#   of the *true* stories of a model that has understood, a fifth are new; of one that remembers,
#   none. All three numbers are shares of all 200.)

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
        (re.sub(r"\d+", "#", one) in well_formed, one in true_stories,
         one in true_stories - known_stories)
        for one in stories
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
# The step is that of lesson 09: forward, loss, backward, clip, step. The learning rate is your
# `noam_lr`. Every now and then the model writes, and the judge counts. Watch the sample: what does
# the model learn first, and what last?


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
    found = [step, loss, unseen_loss, *judge(written)]
    for name, value in zip(history, found, strict=True):
        history[name].append(value)
    shares = "loss {1:.2f}  well-formed {3:4.0%}  true {4:4.0%}  new {5:4.0%}".format(*found)
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
    "in training": (late, torch.tensor(history["loss"][2:])),
    "on unseen stories": (late, torch.tensor(history["unseen"][2:])),
    "as low as chance allows": (late[[0, -1]], torch.tensor([floor, floor])),
}
wb.show.curves(lines, title="The loss of the next token, later", x_label="step", y_label="loss")

# %% [markdown]
# First comes the form: names, verbs, full stops. Then who is `he`, and that the names stay the
# same. Then the arithmetic: about half of the stories that are well-formed after 400 steps are
# false, and after 2,000 steps hardly any. Nobody told the model that there are names or numbers at
# all, let alone how to subtract. It was the only way to predict the next token better.
#
# At the end about nine stories of ten are true, and the loss is one to three hundredths above what
# chance alone costs. And about a fifth of the true ones are new: the model has not just remembered.
#
# ### What does it get wrong?

# %% name="mistakes"
for story in [one for one in texts(model) if one not in true_stories][:6]:
    print(story)

# %% [markdown]
# Some have a wrong sum. Others are more interesting: look for someone who gives to himself (`tom
# gives tom 2`), or for a count from a number to itself. No such story was in the training data. But
# what is *missing* from a text is hard to notice.
#
# ### It completes what we begin
#
# We give it the beginnings of unseen stories as prompts, and take the likeliest token each time.
# Guess first: for what share is the end right?


# %% name="complete"
def beginning(story):
    """Up to where nothing is left to chance."""
    return re.match(r".*?(now|:)", story)[0]


for kind, stories in unseen.items():
    prompts = [beginning(story) for story in stories[:100]]
    ids = torch.tensor([[END, *(id_of[word] for word in prompt.split())] for prompt in prompts])
    ends = [to_text(row) for row in write(model, ids, LONGEST - ids.size(1), temperature=0)]
    right = sum(end == story for end, story in zip(ends, stories, strict=False)) / len(prompts)
    print(f"{kind}: {right:4.0%} right. {prompts[0]} →{ends[0].removeprefix(prompts[0])}")

# %% [markdown]
# Almost all of them. And yet it writes false stories: see question 2.
#
# ### Temperature
#
# Guess before you run it: of 200 stories at temperature 0, how many are different from one another?
# And what happens to the true ones at temperature 2?

# %% name="temperatures"
print("temperature  well-formed  true  new  different stories")
for temperature in (0, 0.5, 1.0, 1.5, 2.0):
    written = texts(model, temperature)
    formed, right, new = judge(written)
    print(f"{temperature:11} {formed:12.0%} {right:5.0%} {new:4.0%} {len(set(written)):18}")
formed, right, new = judge(texts(model, 1.5, top_k=4))
print(f"1.5 with top_k of 4: well-formed {formed:.0%}, true {right:.0%}")

# %% [markdown]
# At 0 it is one story, 200 times: all of them are true, or none. Above 0, the higher the
# temperature, the more variety, and the less truth: unlikely tokens are mostly wrong tokens.
# `top_k` cuts off the least likely of them. Truth against variety: that is the choice in large
# models, too.
#
# ### Where does it look?
#
# To write the number after the last `has`, the model needs both numbers. Each row below is one of
# its 8 heads. The columns are the tokens that it may look at.

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
# Some heads look at the 9 and others at the 4, with nearly all their weight: they fetch the
# numbers, and what follows computes with them. Which head does what differs from training to
# training.
#
# This is a good place for a break.
#
# ## From 2017 to now
#
# Today's language models are this model, larger, with a few parts replaced. (GPT took GELU and
# learned its positions, GPT-2 changed the first row. Llama changed all but the last row, which came
# with the larger models of its second version.)
#
# | what | 2017 | now | why | paper |
# |---|---|---|---|---|
# | place of the norm | after the sum | before the sublayer | deep models train | Xiong 2020 |
# | norm | LayerNorm | RMSNorm (lesson 03) | less to compute, as good | Zhang 2019 |
# | activation | ReLU | GELU, then SwiGLU | lower loss at the same size | Shazeer 2020 |
# | positions | sinusoids, added once | rotary, in each attention | distances count | Su 2021 |
# | keys and values | each head its own | heads share some | a smaller cache | Ainslie 2023 |
#
# The papers: [Xiong et al. 2020](https://arxiv.org/abs/2002.04745), [Zhang and Sennrich
# 2019](https://arxiv.org/abs/1910.07467), [Hendrycks and Gimpel
# 2016](https://arxiv.org/abs/1606.08415) for GELU, [Shazeer
# 2020](https://arxiv.org/abs/2002.05202), [Su et al. 2021](https://arxiv.org/abs/2104.09864),
# [Ainslie et al. 2023](https://arxiv.org/abs/2305.13245).
#
# Each of the first four takes a few lines with your parts. Two of them you build now.
#
# ## Rotary positions
#
# Your `PositionalEncoding` adds a position to each vector, once, at the bottom. Then queries and
# keys are made of the sum, and the model has to find out what "three tokens back" looks like at
# every place. Rotary positions build that in: a query at position $m$ is **rotated** by the angle
# $m\theta$, a key at position $n$ by $n\theta$. A dot product of two rotated vectors depends only
# on the angle between them, so on $(m - n)\theta$: how far *back* the key stands.
#
# ### By hand
#
# Two features, and $\theta = 1$. Rotate the vector $(1, 0)$ as often as its position says:
#
# | position | angle | rotated |
# |---|---|---|
# | 0 | 0 | (1, 0) |
# | 1 | 1 | (0.54, 0.84) |
# | 2 | 2 | (-0.42, 0.91) |
# | 3 | 3 | (-0.99, 0.14) |
#
# The scores of positions 0 and 2: $1 \cdot (-0.42) + 0 \cdot 0.91 = -0.42$. Of positions 1 and 3:
# $0.54 \cdot (-0.99) + 0.84 \cdot 0.14 = -0.42$. The same distance, the same score.
#
# A vector has more than two features, so they are taken in pairs, $(0, 1), (2, 3), \ldots$, and
# each pair has a rate of its own, the one of lesson 05: $\theta_i = \text{base}^{-2i/d_k}$.
#
# ## Your turn: apply_rotary
#
# `x` is `(..., T, d_k)`, with an even `d_k`: queries or keys, after the heads were split. The first
# one stands at position `start`, and position 0 stays as it is. A point $(a, b)$ that is rotated by
# $\alpha$ becomes
# $(a \cos\alpha - b \sin\alpha,\; a \sin\alpha + b \cos\alpha)$.

# %% answer="apply_rotary"

# %% check="apply_rotary"

# %% [markdown]
# Stuck? The blanks are called `angle`, `turned_first` and `turned_second`.

# %% name="hint-rotary"
wb.hint("turned_first")

# %% [markdown]
# One query and one key, put at every position in turn. Before you run it: along which lines are the
# scores equal?

# %% name="scores-by-distance"
rotary = wb.use("apply_rotary")
torch.manual_seed(0)
query, key = torch.randn(2, 16)
scores = rotary(query.expand(8, 16)) @ rotary(key.expand(8, 16)).T
wb.show.heat_map(
    scores,
    [str(place) for place in range(8)],
    [str(place) for place in range(8)],
    title="The score of one query with one key, by where they stand",
    row_axis="position of the query",
    column_axis="position of the key",
)

# %% [markdown]
# Along the diagonals: a key that is equally far back has an equal score. (One back and one ahead
# are different: compare 1, 0 with 0, 1.)
#
# ## Bug hunt
#
# In Llama a ReLU no longer decides what passes. A second matrix does, as a **gate**:
#
# $$\mathrm{SwiGLU}(x) = (\mathrm{SiLU}(x W_{gate}) \odot x W_{up})\, W_{down},
# \qquad \mathrm{SiLU}(z) = z \cdot \mathrm{sigmoid}(z)$$
#
# where $\odot$ multiplies number by number. For one feature, $x = 1$, and the matrices 2, 3 and 1:
# SiLU(2) is $2 \cdot 0.881 = 1.762$, so the result is $1.762 \cdot 3 \cdot 1 = 5.28$.
#
# The function below should compute that. It runs, but there are **two bugs** in it. Find and fix
# them.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## Does it help? The changes, measured
#
# Your model and five variants, each trained for 300 steps from three different starts. It takes
# about two minutes. Two numbers are measured on unseen stories: the loss as usual, and the loss if
# every story begins 20 positions later than in training (`start=20`).
#
# Guess first: which of the six will be best? And which one will not notice the 20 positions?

# %% name="variants"
split, merge, attend = wb.use("split_heads", "merge_heads", "scaled_dot_product_attention")
gated_network = wb.fixed("bug_hunt_1")
ROUNDS, EACH = 3, 300


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return gated_network(x, self.gate.weight.T, self.up.weight.T, self.down.weight.T)


def rotary_layer(layer, x, start, mask, cache=None):
    """Your EncoderLayer, with queries and keys turned by their positions."""

    def attention(y):
        own = layer.self_attn
        query, key, value = (split(linear(y), 4) for linear in (own.w_q, own.w_k, own.w_v))
        query, key = rotary(query, start), rotary(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        heads, _ = attend(query, key, value, mask)
        return own.w_o(merge(heads))

    x = layer.sublayers[0](x, attention)
    return layer.sublayers[1](x, layer.feed_forward)


class RotaryLM(nn.Module):
    """A CausalLM whose layers are rotary_layers: no position is added to the tokens."""

    def __init__(self, model):
        super().__init__()
        self.embed, self.encoder, self.project = model.embed, model.encoder, model.project

    def hidden(self, ids, start, mask, caches):
        x = self.embed(ids)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = rotary_layer(layer, x, start, mask, cache)
        return self.encoder.norm(x)

    def forward(self, ids, start=0):
        no_caches = [None for _ in self.encoder.layers]
        return self.project(self.hidden(ids, start, causal_mask(ids.size(1)), no_caches))

    def read_on(self, ids, start, caches):
        mask = causal_mask(start + ids.size(1))[:, :, start:]
        return self.project(self.hidden(ids, start, mask, caches)[:, -1])


def put(model, mark, new):
    """new(child) in place of each part that has an attribute of that name."""
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, mark):
                setattr(part, name, new(child))
    return model


def post_norm(model):
    model.encoder = Encoder(2, 64, 4, 128, 0.0)
    return model


def gelu(model):
    return put(model, "w_1", lambda part: nn.Sequential(part.w_1, nn.GELU(), part.w_2))


def gated(model):  # three matrices, as many numbers as two of 128
    return put(model, "w_1", lambda part: SwiGLU(64, 86))


def rms_norm(model):
    return put(model, "gamma", lambda part: nn.RMSNorm(64, eps=1e-6))


changes = {
    "as you built it": lambda model: model,
    "post-norm": post_norm,
    "RMSNorm": rms_norm,
    "GELU": gelu,
    "SwiGLU": gated,
    "rotary positions": RotaryLM,
}

# %% quick="few-variants"
ROUNDS, EACH = 1, 2

# %% name="variants-trained"
progress = wb.steps(len(changes) * ROUNDS * EACH)
print(f"{'':18} {'loss: mean (lowest to highest)':32} 20 positions later")
for name, change in changes.items():
    found = []
    for seed in range(ROUNDS):
        torch.manual_seed(seed)
        changed = change(CausalLM_(len(tokens), **SIZES))
        fit(changed, EACH, progress=progress)
        found.append((loss_on_unseen(changed), loss_on_unseen(changed, start=20)))
    usual, later = zip(*found, strict=True)
    mean, spread = sum(usual) / ROUNDS, f"({min(usual):.3f} to {max(usual):.3f})"
    print(f"{name:18} {mean:.3f} {spread:26} {sum(later) / ROUNDS:.3f}")

# %% [markdown]
# Look at the ranges before you look at the means. But with three starts, even ranges that do not
# overlap can be luck. We took eight for each row: rotary 0.72, SwiGLU 0.73, as built 0.74, GELU
# 0.74, RMSNorm 0.76, post-norm 0.76. Single starts were up to 0.05 away from their mean, so each
# mean is uncertain by about 0.01. No row is clearly better or worse than yours in a model of 70,000
# numbers. The papers measured theirs on models thousands of times as large.
#
# The last column is no noise. The sinusoids of positions 20 to 40 were never seen in training, and
# the model is lost there. The rotary model turns all queries and keys further, by 20 positions. But
# the distances are the same: the two losses are equal. A *longer* text is another matter, since it
# has distances that were never seen. There rotary positions fail as well, unless they are adapted
# ([Press et al. 2022](https://arxiv.org/abs/2108.12409), Figure 1).
#
# ### Where the norm stands
#
# With two layers no difference showed. Now 16 layers, a constant learning rate, and no warm-up:

# %% name="deep"
DEEP_STEPS = 60

# %% quick="few-steps-deep"
DEEP_STEPS = 2

# %% name="deep-trained"
curves, progress = {}, wb.steps(2 * DEEP_STEPS)
for name, norm_first in (("pre-norm", True), ("post-norm", False)):
    torch.manual_seed(0)
    deep = CausalLM_(len(tokens), **{**SIZES, "num_layers": 16})
    deep.encoder = Encoder(16, 64, 4, 128, 0.0, norm_first=norm_first)
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
# That is no noise either. Post-norm stays near 3.39, where a model is that knows how frequent each
# token is, and nothing else. In pre-norm the residual connections are a free way for the gradient,
# from the loss to every layer. GPT-2 moved the norm, and almost all models since have it there.
#
# ## A real text
#
# The stories were made by rule, so that we could count. Now a novel, and no rule: *Persuasion* by
# Jane Austen, of 1817, in the public domain. It ships with the course. Any other text file will do:
# name your own. It should have some hundred thousand characters, in any language.

# %% name="novel"
from pathlib import Path

FILE = wb.texts.PERSUASION  # or the path of a text file of your own, such as "my_text.txt"
novel, last_chapters = wb.texts.read(FILE)
print(f"{len(novel):,} characters to learn from, {len(last_chapters):,} to validate on")
print(novel[-300:])

# %% [markdown]
# Its tokens are sub-words, as in lesson 11, learned from this text:

# %% name="sub-words-of-the-novel"
VOCABULARY, WINDOW = 2000, 128  # tokens; how many are predicted at once
subwords = wb.translation.Subwords.learn(novel.split("\n"), VOCABULARY)
known_ids = torch.tensor(subwords.encode(novel))
unseen_ids = torch.tensor(subwords.encode(last_chapters))
print(f"{len(known_ids):,} tokens to learn from, {len(unseen_ids):,} unseen")
print(subwords.pieces_of(novel[-300:])[:40])


def windows(ids, starts):
    """From each start a window and the token after it, (N, WINDOW + 1)."""
    return ids[starts[:, None] + torch.arange(WINDOW + 1)]


validation = windows(unseen_ids, torch.arange(0, len(unseen_ids) - WINDOW, WINDOW)).split(16)

# %% [markdown]
# No text is padded now. A window is any 129 tokens in a row. The model predicts the 128 after the
# first.
#
# ## Perplexity
#
# Nobody can list all true sentences, so we need another measure. **Perplexity** is $e$ to the mean
# cross-entropy of the next token ([Jelinek et al. 1977](https://doi.org/10.1121/1.2016299)). It is
# a number of tokens: a perplexity of 50 means that the model is as uncertain, on average, as if it
# had to choose among 50 tokens that are all equally likely. It counts tokens, so only perplexities
# of the same text, cut in the same way, can be compared.
#
# ### Predict, then run
#
# A model gives each of 2,000 tokens the same probability, always. What is its perplexity?

# %% name="guess-perplexity"
perplexity_of_no_idea = None

# %% name="reveal-perplexity"
mistakes = {
    "That is the cross-entropy, ln 2000. The perplexity is e to it.": math.log(2000),
    "The right token has this probability. Its cross-entropy is minus the logarithm.": 1 / 2000,
    "All tokens are equally likely, whichever is the right one.": 1,
}
wb.reveal(perplexity_of_no_idea, round(math.exp(-math.log(1 / 2000))), mistakes)

# %% [markdown]
# The model that knows how frequent each token is, and nothing else:

# %% name="perplexity-of-frequencies"
counts = torch.bincount(known_ids, minlength=len(subwords)) + 1.0  # no token is impossible
frequency = counts / counts.sum()
by_frequency = math.exp(-frequency[unseen_ids].log().mean())
print(f"perplexity by frequency alone: {by_frequency:.0f}")

# %% [markdown]
# ## How GPTs are trained
#
# Three things are different from lesson 09. For years nearly all language models were trained like
# this.
#
# **AdamW.** At each step every matrix is made a little smaller: $w \leftarrow w - \eta \lambda w$,
# with the learning rate $\eta$ and a **weight decay** $\lambda$ of 0.1. In small models that are
# trained on the same data again and again, this keeps them from learning by heart. A large language
# model sees most of its text once. There it keeps the weights from growing, since the same step
# changes a larger weight relatively less, and training stays stable ([D'Angelo et al.
# 2024](https://arxiv.org/abs/2310.04415)). If $\lambda w$ is added to the gradient instead, Adam
# divides it by the size of the gradients: a weight with large ones hardly shrinks. So AdamW keeps
# the two apart ([Loshchilov and Hutter 2019](https://arxiv.org/abs/1711.05101)). Biases and norms
# are few, and are not decayed.
#
# **Cosine decay.** After the warm-up, the rate falls along half a cosine, to a tenth of its peak
# ([Loshchilov and Hutter 2017](https://arxiv.org/abs/1608.03983)). It needs to know how long the
# training is. So many newer runs stay at the peak after the warm-up and fall only at the end,
# whenever that is (**warm-up, stable, decay**, [Hu et al. 2024](https://arxiv.org/abs/2404.06395)).
# And some give their matrices to a newer optimizer, Muon ([Liu et al.
# 2025](https://arxiv.org/abs/2502.16982)), in place of AdamW.
#
# **Gradient accumulation.** Large batches give quiet gradients, but need memory: GPT-3 took up to
# 3.2 million tokens for one step ([Brown et al. 2020](https://arxiv.org/abs/2005.14165)). No GPU
# holds that. So a batch is cut into parts, each part has its forward and backward pass, and then
# comes one step. If each part's loss is weighted by its share of the tokens (lesson 09), the sum is
# the gradient of the whole batch.

# %% name="how-gpts-are-trained"
PART = 8  # windows in memory at once


def adamw(parameters):
    parameters = list(parameters)
    groups = [
        {"params": [one for one in parameters if one.dim() >= 2], "weight_decay": 0.1},
        {"params": [one for one in parameters if one.dim() < 2], "weight_decay": 0.0},
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


def accumulate(model, ids, loss_fn):
    """Leave the gradient of the mean loss of all windows in the parameters; returns the loss."""
    total = 0.0
    for part in ids.split(PART):
        loss = loss_fn(model(part), part) * len(part) / len(ids)
        loss.backward()  # adds to the gradients
        total += loss.item()
    return total


def accumulating_step(model, batch, loss_fn, optimizer, scheduler):
    (ids,) = batch
    optimizer.zero_grad()
    loss = accumulate(model, ids.to(device), loss_fn)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    return loss


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
# Is the gradient of the parts that of the whole? 24 windows, all at once, and in three parts:

# %% name="same-gradient"
device = torch.device("cpu")
torch.manual_seed(0)
small = CausalLM_(len(subwords), 32, num_heads=4, d_ff=64, num_layers=1, dropout=0.0)
ids = windows(known_ids, torch.arange(24))
loss_of(small(ids), ids).backward()
at_once = [one.grad.clone() for one in small.parameters()]
small.zero_grad()
accumulate(small, ids, loss_of)
pairs = zip(at_once, (one.grad for one in small.parameters()), strict=True)
difference = max((one - other).abs().max().item() for one, other in pairs)
print(f"largest difference: {difference:.1e}, largest number: {max(g.max() for g in at_once):.1e}")

# %% [markdown]
# ## Your GPT reads a novel
#
# Three settings. The times are those of one thread of a processor that nothing else keeps busy, and
# the last one that of an H200: it is for those who have a GPU. The perplexity is that of the last
# chapters. (They also chose the 600 steps: of 1,500 it was 72 after the first 450, and 102 in the
# end, when the model had learned its novel by heart.)
#
# | `SETTING` | layers | `d_model` | parameters | steps | windows each | time | perplexity |
# |---|---|---|---|---|---|---|---|
# | `"minute"` | 2 | 128 | 0.65 million | 480 | 8 | 56 seconds | 147 |
# | `"ten minutes"` | 4 | 128 | 1.05 million | 1,700 | 2 × 8 | 10 minutes | 72 |
# | `"gpu"` | 6 | 384 | 11 million | 600 | 64 | 46 seconds | 69 |
#
# The parts of lesson 12 are used here: `fuse` puts fast attentions and norms into your model.

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
SETTING = "gpu" if device.type == "cuda" else "minute"
EPOCHS = 10  # of steps / 10 steps each; the perplexity is measured after each

# %% quick="small-gpt"
SETTINGS["minute"] |= {"steps": 10, "windows": 2, "num_layers": 1}
validation = validation[:1]

# %% [markdown]
# How long will it take here? Three steps are timed, after one that does not count:

# %% name="gpt-how-long"
import time

fuse = wb.use("fuse")
chosen = SETTINGS[SETTING]
STEPS_OF_GPT = chosen["steps"]
PART = 64 if device.type == "cuda" else 8


def new_writer():
    torch.manual_seed(0)
    sizes = {name: chosen[name] for name in ("d_model", "num_heads", "num_layers", "dropout")}
    model = CausalLM_(len(subwords), d_ff=4 * chosen["d_model"], **sizes)
    wb.speed.name_parts(model, chosen["num_heads"], chosen["dropout"])
    return fuse(model).to(device)


def batches_of(epoch):
    """The batches of one epoch: windows from anywhere, the same ones at each call."""
    generator = torch.Generator().manual_seed(epoch)
    sizes = (STEPS_OF_GPT // EPOCHS, chosen["windows"])
    starts = torch.randint(len(known_ids) - WINDOW, sizes, generator=generator)
    return [(windows(known_ids, row),) for row in starts]


trial, (batch, *_) = new_writer(), batches_of(0)
for number in range(4):
    if number == 1:
        began = time.perf_counter()
    accumulate(trial, batch[0].to(device), loss_of)
seconds = (time.perf_counter() - began) / 3
print(f"{sum(one.numel() for one in trial.parameters()):,} parameters")
print(f"{STEPS_OF_GPT:,} steps: about {STEPS_OF_GPT * seconds / 60:.1f} minutes here")

# %% [markdown]
# `wb.fit` is the loop of lesson 09, with your step, your rate and your loss. The bar shows the time
# that is left. The run is saved beside this notebook: if it is interrupted, run the cell again, and
# it resumes. The model ends with its best weights. Before that, there is no `run` for the next
# cell, and what `writer` writes below is a beginner's.

# %% name="gpt-training"
writer = new_writer()
run = wb.fit(
    writer,
    batches_of,
    epochs=EPOCHS,
    train_step=accumulating_step,
    loss_fn=loss_of,
    noam_lr=cosine_rate(STEPS_OF_GPT),
    evaluate=mean_loss,
    validation=validation,
    optimizer=adamw,
    d_model=chosen["d_model"],
    warmup=STEPS_OF_GPT // 10,
    factor=chosen["peak"],
    checkpoint=f"gpt-{SETTING.replace(' ', '-')}.safetensors",
    about={"file": Path(FILE).name, "setting": chosen},
)
print(f"perplexity of unseen text: {math.exp(run.best):.0f}, by frequency {by_frequency:.0f}")

# %% name="gpt-perplexity"
at, losses = zip(*run.validation, strict=True)
wb.show.curves(
    {"perplexity": (list(at), [math.exp(loss) for loss in losses])},
    title="Perplexity of the last chapters",
    x_label="step",
    y_label="perplexity",
)

# %% [markdown]
# If training on and on makes the perplexity of *unseen* text rise again, the model learns its novel
# by heart. One novel is very little: GPT-2 read 40 GB of text, nearly 100,000 times as much.
#
# ## Let it write
#
# With `top_k` you cut off a fixed *number* of tokens. But after `Captain` a few names are likely,
# and after `the` hundreds of words. **`top_p`** looks at the probabilities instead: it keeps the
# likeliest tokens whose probabilities together just reach `top_p`, the *nucleus* ([Holtzman et al.
# 2020](https://arxiv.org/abs/1904.09751); `top_k`: [Fan et al.
# 2018](https://arxiv.org/abs/1805.04833)).
#
# ### By hand
#
# The four tokens of above, with 0.64, 0.24, 0.09 and 0.03. For `top_p=0.8` the first is not enough,
# the first two are: 0.88. They become 0.73 and 0.27. For `top_p=0.6` the first alone is kept.
#
# Your `generate` takes any model that has a `read_on`. So we put the nucleus around the model: it
# divides the logits by the temperature first, as most libraries do, and removes what lies outside.


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


def continued(prompt, temperature=1.0, top_k=None, top_p=1.0, tokens=80, seed=0):
    """The prompt, and `tokens` tokens after it. The model has learned no positions over WINDOW."""
    ids = torch.tensor([subwords.encode(prompt)], device=device)
    generator = torch.Generator(device).manual_seed(seed)
    if temperature == 0:  # greedy: nothing is drawn
        return subwords.decode(write(writer, ids, tokens, temperature=0)[0])
    chosen_from = WithTopP(writer, temperature, top_p)
    return subwords.decode(write(chosen_from, ids, tokens, 1.0, top_k, generator)[0])


by_hand = nucleus(torch.tensor([2.0, 1.0, 0.0, -1.0]), 0.8).softmax(dim=-1)
print([round(share, 2) for share in by_hand.tolist()])
sentence = "Captain Wentworth was in the"
ids = torch.tensor([subwords.encode(sentence)], device=device)
with torch.no_grad():
    kept = nucleus(writer.eval()(ids)[0], 0.9).isfinite().sum(dim=-1).tolist()
for piece, count in zip(subwords.pieces_of(sentence), kept, strict=True):
    print(f"after {piece!r:12} {count:5} tokens make up 0.9")

# %% [markdown]
# Where the model is sure, few tokens are left. Now let it write:

# %% name="gpt-writes"
PROMPT = "Anne"
for options in (
    {"temperature": 0},
    {"temperature": 1.0},
    {"temperature": 0.8, "top_k": 40},
    {"temperature": 1.0, "top_p": 0.9},
    {"temperature": 0.8, "top_p": 0.9},
):
    print(", ".join(f"{name} {value}" for name, value in options.items()))
    print("   ", continued(PROMPT, **options).replace("\n", " / "))

# %% [markdown]
# At temperature 0 it soon repeats itself. At 1 it draws rare tokens now and then, and each
# of them leads it astray. In between, and with `top_k` or `top_p`, it keeps to what is likely, and
# is still different each time.
#
# What the settings wrote (`"Anne"`, temperature 0.8, `top_p` 0.9):
#
# > `"minute"`: Anne was as any warmly! She were expected with the possriate of great deal, and
# > she had been no soundy of the grach from the"I is an want of dvagations, notsidow, Captain
# > Wentworth would never not you had be nfity. I have received not not be faay me.
#
# > `"ten minutes"`: Anne was still a very little surrassion of dine, and her father's self-four
# > hours, no only only point, and as she found, and to the preserving her own hurdericance of the
# > family; but she had made the plan.
#
# After a minute most sub-words make words, names and punctuation stand where they may stand, and
# there are pieces of grammar. As with the stories, form comes first. Sense would need far more
# text.

# %% [markdown]
# ## Optional: GPT-2 in your own classes
#
# The weights of GPT-2 ([Radford et al. 2019](https://github.com/openai/gpt-2)) are public. The
# smallest one is `CausalLM(50257, 768, num_heads=12, d_ff=3072, num_layers=12)`:
# 124 million parameters. Most of it is what you built: pre-norm with a last norm, biases in all
# linear layers but the projection, tied weights, a causal mask. Three things are different, and
# `wb.gpt2.load` changes them in your model:
#
# | | your `CausalLM` | GPT-2 |
# |---|---|---|
# | positions | sinusoids | learned, 1,024: your `LearnedPositionalEmbedding` of lesson 05 |
# | activation | ReLU | GELU |
# | embedding | times the root of `d_model` | not scaled |
#
# (And the `eps` of its norms is $10^{-5}$.) Then each published tensor is copied to its place by
# name. Two traps: `c_attn` holds your `w_q`, `w_k` and `w_v` side by side, and all matrices are
# stored as `(in, out)`, for $xW$, where `nn.Linear` has `(out, in)`.
#
# Set `READ_GPT_2` to `True` where there is a network: 548 MB are fetched, once. It takes 1.2 GB
# of memory.

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
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** The encoder of the translator has a padding mask, `CausalLM` has none, although
# its batches hold padding. Why is that no mistake, if padding stands at the end? And what would go
# wrong if padding stood at the *beginning* of each text?

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
# almost every unseen beginning correctly. Explain how both can be true. And a low temperature,
# such as 0.5, makes more stories true: why, and what does it cost?

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
# ## What you own now
#
# In lesson 01 you wrote five lines that compare queries with keys. Since then you have built heads,
# norms, masks, two stacks, a training loop, a search, a cache, and now a language model that was
# taught by nothing but text.

# %% name="progress"
wb.progress()

# %% [markdown]
# GPT-2 is your model with 124 million parameters and more; GPT-3 is nearly the same, with 96 layers
# and a `d_model` of 12,288.
# A second round of training turns such a model into a helpful assistant. But what it does is what
# your model does: it reads some tokens, and predicts the next.
