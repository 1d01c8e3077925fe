# %% [markdown]
# ## What 64 numbers say
#
# Below you see what the translator's decoder returns for 725, a vector of 64 numbers at each
# position. Which row will become "hundred"? You'll see once you've built the step that is missing.

# %% name="without-generator"
vectors, written = wb.translator.before_the_words(725)
wb.show.heat_map(
    vectors,
    [str(place) for place in range(len(vectors))],
    title="What the decoder says of 725, before it becomes words",
    row_axis="position",
    column_axis="feature",
    values=False,
)

# %% name="guess-hundred"
row_of_hundred = None  # 0 is the first row

# %% [markdown]
# We can't read such vectors, so we still need a step at the top that turns them into words, and a
# frame to hold everything together.
#
# ## What you will be able to do
#
# - assemble the whole of Figure 1 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762)
#   into one model, masks included,
# - tell logits, probabilities and log-probabilities apart, and say why your model returns
#   log-probabilities,
# - tie three matrices into one, initialize the weights well, and count the parameters against the
#   paper's.
#
# It takes about 70 minutes.
#
# *Where it sits.* All boxes inside the two stacks are yours, so we only have to add the two boxes
# at the top right, and the frame around everything.

# %% name="where-it-sits"
wb.progress(current=["Generator", "Transformer", "make_model"])

# %% [markdown]
# ## A sentence's path through the model
#
# Let's follow a batch of 2 sentences from ids to predictions, at the paper's $d_{model}$ and with a
# vocabulary of $V = 37000$ tokens. The source goes first, with 7 tokens, and then the target, with
# 5:

# %% name="way-of-a-batch"
wb.show.sentence_path()

# %% [markdown]
# The two halves meet in the decoder, which gets the memory and with it the source's mask, since the
# padding of the source must be hidden there, too.
#
# At each target position the model predicts, for every token of the vocabulary, how likely it is to
# come *next*. A single pass through the model thus makes five predictions for each sentence, and in
# training we use all of them at once, which is why the target's mask matters so much.
#
# ## Scores, probabilities and their logarithms
#
# The decoder returns vectors, and the **generator** begins with a linear layer, which turns each of
# them into scores, one for each word. We call these scores **logits**, and a softmax turns them
# into probabilities.
#
# *By hand.* We take a vocabulary of three words, with the logits 2, 1 and 0:
#
# | word | logit | $e^{logit}$ | probability | log-probability |
# |---|---|---|---|---|
# | cat | 2 | 7.39 | 7.39 / 11.11 = 0.67 | -0.41 |
# | dog | 1 | 2.72 | 2.72 / 11.11 = 0.24 | -1.41 |
# | car | 0 | 1.00 | 1.00 / 11.11 = 0.09 | -2.41 |
#
# In the last column we find the logits, each minus 2.41, which is the logarithm of 11.11. So
# **log-softmax**, the logarithm of a softmax, only subtracts one number from all logits, chosen so
# that the probabilities sum to 1.
#
# We take logarithms because the probability of a sentence is the product of those of its words, and
# the product may become tiny. Let's try 60 words, each with a probability of 0.1. Does a float32
# have room for the product, and for the sum of the logarithms?

# %% name="underflow"
each = torch.full((60,), 0.1, dtype=torch.float32)
print("product of the probabilities:", each.prod().item())
print("sum of the log-probabilities:", each.log().sum().item())

# %% [markdown]
# The product is too small for a float32, so it becomes 0, which is called **underflow**. Its
# gradient becomes 0, too, and leaves the model nothing to learn from, while the sum of logarithms
# stays a plain number. Nor may we take the logarithm *after* the softmax, since a probability that
# has been rounded to 0 has no logarithm any more. So PyTorch does both in one step, and so does our
# generator. (Most models stop at the logits and leave that step to the loss. Ours returns
# log-probabilities, since in lesson 10 we add them up.)
#
# ## Your turn: Generator
#
# `Generator` turns vectors into log-probabilities.
#
# <details><summary>The fine print</summary>
#
# - The vectors may have any shape `(..., D)`. Lesson 10 gives it only those of the last position,
#   `(N, D)`.
# - Its layer, an `nn.Linear` with a bias or without, is called `proj`, because the model below asks
#   for it by that name.
#
# </details>

# %% name="setup"
TokenEmbedding, PositionalEncoding, LearnedPositionalEmbedding = wb.use(
    "TokenEmbedding", "PositionalEncoding", "LearnedPositionalEmbedding"
)
padding_mask, target_mask = wb.use("padding_mask", "target_mask")
Encoder, Decoder = wb.use("Encoder", "Decoder")

# %% answer="Generator"

# %% check="Generator"

# %% [markdown]
# Stuck? The blanks are called `projection` and `log_probs`.

# %% name="hint-generator"
wb.hint("projection")

# %% [markdown]
# The generator is the step that was missing at the top. From each row of the picture, the
# translator's own generator reads one word:

# %% name="reveal-hundred"
print(dict(enumerate(written)))
wb.reveal(row_of_hundred, written.index("hundred"))

# %% [markdown]
# Row 0 has read the start token alone, and already predicts "seven", so row 1 becomes "hundred". We
# can read the decoder's vectors now, but still need the frame around everything.
#
# ## The whole model
#
# `Transformer` holds five parts:
#
# | part | what it does |
# |---|---|
# | `src_embed` | source ids to vectors with positions |
# | `encoder` | these vectors to the memory |
# | `tgt_embed` | target ids to vectors with positions |
# | `decoder` | these vectors and the memory to vectors that predict |
# | `generator` | those to log-probabilities |
#
# We use the model in two ways. In training, `forward(src, tgt)` does everything, and makes the
# masks from the ids, so that we can't forget them. In translating, we encode the source *once*, and
# run the decoder again for each new word, with `encode` and `decode`, which take the masks from
# outside.
#
# We make the masks before the ids become vectors, because a vector doesn't show whether it was
# padding. Which id means padding depends on the vocabulary, so the model keeps that id as `pad_id`.
#
# ### One matrix instead of three
#
# Each of the two embeddings has a row for each word, which says what the word *means* as input. The
# generator's projection has a row for each word, too, and a vector that points the same way makes
# this word likely. Do we need three matrices? The paper takes only one. In its words, "we share the
# same weight matrix between the two embedding layers and the pre-softmax linear transformation"
# (section 3.4). This **weight tying**, which `tie_weights` turns on, needs one vocabulary for both
# languages, and saves two matrices out of three.
#
# But we pay for the savings. Without any layers between, the score of *five* after *twenty* would
# be the dot product of their two vectors, and the score of *twenty* after *five* would be the same.
# Since English says "twenty-five" but never "five-twenty", the layers between have to make the
# difference.
#
# In PyTorch two modules share a matrix when we give the same `nn.Parameter` to both.
#
# ## Your turn: Transformer
#
# Fill the five blanks. In the first you embed the target, in the second you tie the weights, and in
# the last three you decide what goes where.
#
# <details><summary>The fine print</summary>
#
# - The names of the five parts are fixed, since the weights are saved under them.
# - The decoder takes `(x, memory, src_mask, tgt_mask)`, and the two mask functions of lesson 06
#   take the ids and the id of padding.
# - The sizes and options (`dropout`, `norm_first`, `max_len`, ...) reach every part that they
#   concern. Where none are given, they are those of the paper's base model, as the signature of
#   `__init__` says.
# - With learned positions, source and target each have a table of their own.
# - `encode` and `decode` hide nothing where they get no mask.
# - PyTorch has this ready-made as `nn.Transformer`. Here you write it yourself, so neither the
#   check nor the grading accepts it.
#
# </details>

# %% answer="Transformer"

# %% check="Transformer"

# %% [markdown]
# The blanks are `target_embedding`, `shared`, `decoder_call`, `mask_of_source` and
# `mask_of_target`.

# %% name="hint-transformer"
wb.hint("target_embedding")

# %% [markdown]
# Compare your code with the paper, line by line:
#
# | the paper | your code |
# |---|---|
# | Figure 1, bottom right: output embedding, positional encoding | the blank `target_embedding` |
# | section 3.4: one shared weight matrix | the blank `shared` |
# | Figure 1: the arrow from encoder to decoder | `memory`, in the blank `decoder_call` |
# | section 3.2.3: no attention to what comes later | the blank `mask_of_target` |
# | section 3.4: linear transformation and softmax | `Generator` |
#
# *Predict, then run.* We give `src` of shape `(2, 7)` and `tgt` of shape `(2, 5)` to a model with a
# `d_model` of 16, which knows 13 source words and 11 target words. Which shape does its result
# have? (Careful, there are two vocabularies.)

# %% name="guess-shape"
result_shape = None  # for instance (1, 2, 3)

# %% name="reveal-shape"
torch.manual_seed(0)
model_class = wb.use("Transformer")
model = model_class(13, 11, d_model=16, num_heads=2, num_layers=2, d_ff=32).eval()
src = torch.tensor([[3, 4, 5, 6, 7, 8, 9], [5, 6, 7, 8, 0, 0, 0]])
tgt = torch.tensor([[1, 4, 5, 6, 7], [1, 8, 9, 0, 0]])
wb.reveal(result_shape, tuple(model(src, tgt).shape))

# %% [markdown]
# At each of the 5 target positions, the model gives a log-probability to each of the 11 target
# words.
#
# ## Look for leaks
#
# A model with a leak looks brilliant in training, because it reads the answer. So before we train,
# we change one word of the target at a time, and see where the predictions change. A row of the
# picture is the position that predicts, and a column is the word that we changed. Where must there
# be zeros?

# %% name="guess-zeros"
zeros = None  # "above", "below" or "on" the diagonal

# %% name="leaks"
words = ["<bos>", "w1", "w2", "w3", "w4"]
with torch.no_grad():
    before = model(src[:1], tgt[:1])
    change = torch.zeros(5, 5)
    for place in range(5):
        other = tgt[:1].clone()
        other[0, place] = 10
        change[:, place] = (model(src[:1], other) - before).abs().amax(dim=-1)[0]
wb.show.heat_map(
    change,
    words,
    words,
    title="Largest change of a log-probability",
    row_axis="prediction after",
    column_axis="word changed",
)

# %% name="reveal-zeros"
wb.reveal(zeros)
print("largest above the diagonal:", change.triu(1).max().item())

# %% [markdown]
# All numbers above the diagonal are 0, as in lesson 07, since a word changes the predictions at its
# own position and after it, but never before. Even the largest of them, printed above, is exactly
# 0, while a mask that lowers forbidden scores by too little would leave a small number behind. The
# model doesn't leak, but from which weights should its training start?
#
# ## A good start
#
# To **initialize** a matrix, we fill it with random numbers. How large should they be? If they're
# too large, the vectors grow from layer to layer, and if they're too small, the vectors shrink, and
# the gradients on the way back do the same. (Our norms bring the vectors back to a known size after
# each sublayer, but inside a sublayer and for the gradients, the size of the weights still
# matters.) [Glorot and Bengio (2010)](https://proceedings.mlr.press/v9/glorot10a.html) derived a
# compromise between the way forward and the way back, **Xavier initialization** (their Eq. 16),
# which draws uniformly from $-b$ to $b$, with
#
# $$b = \sqrt{\frac{6}{n_{in} + n_{out}}}$$
#
# where $n_{in}$ and $n_{out}$ are the two sizes of the matrix. If both are 512, $b$ is 0.077.
#
# Does that suit an embedding, too? PyTorch initializes an `nn.Embedding` differently, from a normal
# distribution with a standard deviation of 1. We scale its vectors by $\sqrt{512}$, as in lesson
# 05, and add the position, whose numbers lie between -1 and 1. For a vocabulary of 10000 words,
# guess which of the two is larger, token or position, first with PyTorch's numbers and then with
# Xavier's.

# %% name="token-against-position"
torch.manual_seed(0)
token_class, encoding = wb.use("TokenEmbedding", "sinusoidal_encoding")
embed = token_class(10000, 512)
everything = torch.arange(1, 10000)[None]
with torch.no_grad():
    plain = embed(everything).std().item()
    nn.init.xavier_uniform_(embed.embedding.weight)
    xavier = embed(everything).std().item()
    nn.init.normal_(embed.embedding.weight, std=512**-0.5)
    authors = embed(everything).std().item()
print(f"token, as PyTorch starts it: {plain:6.2f}")
print(f"token, drawn by Xavier:      {xavier:6.2f}")
print(f"token, as the authors do it: {authors:6.2f}")
print(f"position:                    {encoding(50, 512).std().item():6.2f}")

# %% [markdown]
# In the first case the token drowns out its position, while in the second the position is the
# larger one. Xavier's rule takes the 10000 words for one of the two sizes, so $b$ gets smaller the
# more words there are. A small $b$ suits a product that sums over all words, but an embedding only
# looks up one row.
#
# The authors' own code ([tensor2tensor](https://github.com/tensorflow/tensor2tensor)) draws an
# embedding from a normal distribution with a standard deviation of $1/\sqrt{d_{model}}$. Lesson
# 05's factor, $\sqrt{d_{model}}$, brings that to 1, whatever the vocabulary. They draw all other
# matrices by Xavier, and we do the same.
#
# <details><summary>Does it matter much?</summary>
#
# The Annotated Transformer, and much code since, draws the embeddings by Xavier, too. In lesson
# 11's short run we saw no difference at the end, only a slower start.
#
# </details>
#
# ## Your turn: make_model
#
# `make_model` builds a model and draws all its **matrices**, both embeddings as the authors do, and
# every other one by Xavier. Biases and the scales of the norms are vectors, which have only one
# size, so you leave them as they are.
#
# <details><summary>The fine print</summary>
#
# - With `tie_weights` the last projection *is* the embedding, and starts like it.
# - It's up to you how learned positions start, and also how the row of padding does (it was 0 in
#   lesson 05), since the masks hide it.
#
# </details>

# %% answer="make_model"

# %% check="make_model"

# %% [markdown]
# The blanks are `which`, `draw` and `deviation`.

# %% name="hint-make-model"
wb.hint("which")

# %% [markdown]
# ## How large is the paper's model?
#
# Now that we can build a model of any size, let's build the paper's base model, with a common
# vocabulary of 37000 words (section 5.1) and tied weights. Do we get as many parameters as Table 3
# gives, 65 million? PyTorch's device "meta" knows shapes and holds no numbers, so even a huge model
# takes no memory.
#
# *Predict, then run.* The largest matrix by far is the tied one, with 512 numbers for each of the
# 37000 words. How much of the whole model is that, in percent?

# %% name="guess-embedding"
embedding_percent = None  # 3, 10, 30 or 60

# %% name="paper-size"
make = wb.use("make_model")
with torch.device("meta"):
    paper = make(37000, 37000, tie_weights=True)


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


counts = {
    "encoder": count(paper.encoder),
    "decoder": count(paper.decoder),
    "embeddings and projection (tied)": 37000 * 512,
}
print(f"{count(paper):,} parameters")
wb.show.parameters(
    counts, title="Where the paper's parameters are (biases of the projection left out)"
)

# %% name="reveal-embedding"
wb.reveal(embedding_percent, round(100 * 37000 * 512 / count(paper)))

# %% [markdown]
# The one matrix is as large as the whole encoder. Without weight tying we'd have two more of them,
# with 38 million parameters on top. The big model of the paper doubles $d_{model}$, $d_{ff}$ and
# the number of heads, and you can count it in the same way:
#
# | model | Table 3 | yours |
# |---|---|---|
# | base | 65 million | 63.1 million |
# | big | 213 million | 214.3 million |
#
# No single vocabulary size fits both models exactly, and the paper, which says "about 37000",
# doesn't tell how it counted. Since both still come out within 3 percent, we've left out no layer
# and counted none twice. The size is right, but does the model also compute the same?
#
# ## The same as PyTorch's?
#
# `torch.nn.Transformer` is the part between the embeddings and the generator. We copy your weights
# into it, give it your embedded sentences, and compare. Two of its defaults differ from ours, the
# order of the axes and `eps`, so we set them, and switch its dropout off. Its masks are `True`
# where something is *hidden*, so we pass the opposite of ours, and it has a last norm in both
# stacks even in post-norm, which we take out.

# %% name="same-as-torch"
torch.manual_seed(0)
ours = make(13, 11, d_model=16, num_heads=2, num_layers=2, d_ff=32).eval()
theirs = nn.Transformer(16, 2, 2, 2, 32, dropout=0.0, layer_norm_eps=1e-6, batch_first=True)
theirs.encoder.norm = theirs.decoder.norm = None
for stack in ("encoder", "decoder"):
    wb.copy_weights(getattr(ours, stack), getattr(theirs, stack))
with torch.no_grad():
    torchs = theirs(
        ours.src_embed(src),
        ours.tgt_embed(tgt),
        tgt_mask=torch.ones(5, 5, dtype=torch.bool).triu(1),
        src_key_padding_mask=src == 0,
        tgt_key_padding_mask=tgt == 0,
        memory_key_padding_mask=src == 0,
    )
    difference = (ours(src, tgt) - ours.generator(torchs)).abs()
print("largest difference of a log-probability:", difference.max().item())

# %% [markdown]
# The two differ only by rounding, so you've built the library's own Transformer.
#
# ## A first test run
#
# Before we train for long, we test whether a forward pass, a backward pass, and loading a saved
# model work. What loss do you expect of a model that has learned nothing, and has 1000 words to
# choose from?

# %% name="guess-loss"
expected_loss = None

# %% name="alive"
import os
import tempfile

torch.manual_seed(0)
sizes = {"d_model": 32, "num_heads": 2, "num_layers": 2, "d_ff": 64}
model = make(1000, 1000, **sizes)
# The token that follows each token of tgt, with 0 as padding, which the loss leaves out.
labels = torch.tensor([[4, 5, 6, 7, 2], [8, 9, 2, 0, 0]])
loss = F.nll_loss(model(src, tgt).flatten(0, 1), labels.flatten(), ignore_index=0)
loss.backward()
silent = [name for name, parameter in model.named_parameters() if parameter.grad is None]
print(f"loss: {loss.item():.2f}")
print("parameters without a gradient:", silent or "none")

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    torch.save(model.state_dict(), path)
    loaded = make(1000, 1000, **sizes)
    # weights_only: a file of weights is read as weights, and cannot run anything.
    loaded.load_state_dict(torch.load(path, weights_only=True))
model.eval()
loaded.eval()
print("the same after saving and loading:", torch.equal(model(src, tgt), loaded(src, tgt)))

# %% name="reveal-loss"
wb.reveal(expected_loss)

# %% [markdown]
# The loss lies near that of pure guessing, $\ln 1000 = 6.91$, since an untrained model can't know
# better. Up to 1 above that is normal, but several times as high means that we've initialized the
# weights badly. Every parameter gets a gradient, too, and the model computes the same after saving
# and loading. (A leak wouldn't show here, because an untrained model makes no use of it yet, so we
# looked for leaks above.)
#
# ## Bug hunt
#
# Let's return to the parameters and count them part by part, but a shared matrix only once. The
# function below runs, but its numbers are wrong, because there are **two bugs** in it for you to
# find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend would like the model to return plain probabilities, "because they are
# easier to understand". What goes wrong with long sentences and with very unlikely words? And why
# does it do no harm if a loss function applies log-softmax to your log-probabilities once more?

# %% [markdown] rubric="1"
# 1 point: a product of many probabilities, or a single very small one, is rounded to 0 in floating
# point; its logarithm is minus infinity and the gradient is lost, while sums of log-probabilities
# stay plain numbers. 1 point: log-softmax subtracts the logarithm of the sum of the exponentials;
# for log-probabilities that sum is 1, its logarithm 0, so nothing changes.

# %% [markdown] model="1"
# The probability of a long sentence is a product of many numbers below 1, and it is rounded to 0,
# as a very unlikely word is. The logarithm of that is minus infinity, and the gradient is lost.
# Sums of log-probabilities stay ordinary numbers. Log-softmax subtracts the logarithm of the sum of
# the exponentials. The exponentials of log-probabilities are probabilities, so that sum is 1, its
# logarithm 0, and nothing changes.

# %% [markdown] question="2" points="2"
# **Question 2.** Instead of sharing one matrix, a friend copies the numbers of the embedding into
# the projection right after building the model. Both are equal then. What happens at the first step
# of training, and how many parameters does the model have, compared with a tied one? Why does tying
# all three matrices need one vocabulary for both languages?

# %% [markdown] rubric="2"
# 1 point: the two matrices get different gradients, so they differ after the first step; the copied
# one is a parameter of its own, so the model has as many parameters as an untied one (a tied one
# has one matrix where the untied one has three). 1 point: row i of the shared matrix belongs to
# word i on both sides, so the number of rows and the meaning of each id have to agree for source,
# target and output.

# %% [markdown] model="2"
# The two matrices get different gradients, so they differ after the first step. The copy is a
# parameter of its own, so the model has as many parameters as one that is not tied. With all three
# tied, row i is the vector of token i in the source, in the target and in the output. So these must
# have the same number of tokens, and the same id must mean the same token, which takes one
# vocabulary.

# %% [markdown]
# ## In its place: all of it
#
# The whole of Figure 1, from ids to log-probabilities, consists of your own parts now, equal to
# PyTorch's. You find all of your code, from lesson 00 to this one, in the folder `my_transformer`,
# a file for each part, to read beside the paper.
#
# If you've done all lessons so far, every part of the translator is yours, so we let your
# `make_model` build it from these parts, and give it the weights that were trained. If one number
# were wrong anywhere, it would show here.

# %% name="with-yours"
wb.translator.with_yours(
    "Generator", "Transformer", "make_model", sentences=(7, 54, 45, 725, 24687, 999999)
)

# %% [markdown]
# Your Transformer translates. What it does not have yet is weights of its own.
#
# In lesson 09 it gets them, by **training**, with the paper's schedule and label smoothing, on a
# small language of number words. The lesson begins with the translator as you see it here, but with
# the weights of a new model. Before you open it, guess what a new model writes for 7.

# %% name="progress"
wb.progress()
