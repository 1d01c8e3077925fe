# %% [markdown]
# ## One head is left
#
# The translator has four heads in each of its attention layers, and here we leave it only the first
# of them. Will 63 lose its tens or its unit, and which will 934 lose?

# %% name="without-heads"
wb.translator.compare(63, 934, 4013, without="all heads but one")

# %% [markdown]
# From 63 only the unit remains, while 934 and 4013 keep their tens and lose the unit. In training,
# the four heads learned to share the work, so the one that we left does only a part of it.
#
# ## What you will be able to do
#
# - say where queries, keys and values come from,
# - say why a Transformer looks at a sentence with several heads at once, and what that costs,
# - write multi-head attention (section 3.2.2 of [Attention Is All You
#   Need](https://arxiv.org/abs/1706.03762)) without a loop,
# - use it for self-attention and for cross-attention,
# - show that your module computes the same numbers as `torch.nn.MultiheadAttention`.
#
# It takes about 75 minutes.
#
# *Where it sits.* Three boxes of Figure 1 are multi-head attention, three copies of the one module
# that you build here.

# %% name="where-it-sits"
wb.progress(current=["MultiHeadAttention"])

# %% [markdown]
# We make the module from three functions of yours.

# %% name="setup"
split_heads, merge_heads, scaled_dot_product_attention = wb.use(
    "split_heads", "merge_heads", "scaled_dot_product_attention"
)

# %% [markdown]
# ## Where queries, keys and values come from
#
# In lesson 01 the queries, keys and values were given, and now we make them. In the translator, a
# word is a vector $x$ of 64 numbers, but what it looks for, how others find it, and what it hands
# over are three different things. The word "fünf", say, may look for the "zig" of its ten, be found
# by any word that needs a digit, and hand over its meaning, 5. So the model makes three vectors
# from the one, with three matrices that it learns:
#
# $$q = x\,W^Q \qquad k = x\,W^K \qquad v = x\,W^V$$
#
# Here is the end of 725, "fünfundzwanzig", once more. Each word has four features instead of 64,
# which we set by hand. They say how much of a digit it is, how much of a ten, whether it is "und",
# and the value of the digit. Follow the framed row, "fünf", from its $x$ to its query, its key and
# its value:

# %% name="steps-projections"
wb.show.attention_steps("projections")

# %% [markdown]
# The query (0, 2) looks for a ten, the key (2, 0) says "I am a digit", and the value (5, 0) hands
# over the 5.
#
# Why don't we compare the vectors $x$ themselves? Let's compute the scores by hand, once with $x$
# alone and once with $q$ and $k$:
#
# | score | fünf → fünf | fünf → zig | und → fünf | fünf → und |
# |---|---|---|---|---|
# | of $x$ with $x$ | 29 | 0 | 0 | 0 |
# | of $q$ with $k$ | 0 | 4 | 4 | 0 |
#
# The vectors $x$ only tell us which words are *alike*, and we get the same score in both
# directions. With $q$ and $k$ the model learns which word *needs* which, and that need not be
# mutual. Here "und" looks for a digit, while no digit looks for "und".
#
# ## One look is not enough
#
# Why do we need more than one head? With one query, a word gets only *one* average, and for some
# words that's too little. In "she wrote the book", the word "wrote" has to look both at "she" and
# at "book", since we only understand it once we know who wrote, and what was written.
#
# *By hand.* Say that the value of "she" is 10 and that of "book" is 30, one number each.
#
# | | weight of "she" | weight of "book" | output |
# |---|---|---|---|
# | one head, for both words | 0.5 | 0.5 | $0.5 \cdot 10 + 0.5 \cdot 30 = 20$ |
# | the first head, which looks for who | 1 | 0 | 10 |
# | the second head, which looks for what | 0 | 1 | 30 |
#
# The 20 could also come from 15 and 25, or from the two values swapped, since the average has
# forgotten who is who. The two heads hand over 10 and 30, **side by side**, and nothing is lost. So
# we let several heads look at once, each with its own queries, keys and values, and lay their
# results side by side, which is the whole idea of **multi-head attention**.
#
# ## The formula
#
# Section 3.2.2 of the paper writes this for $h$ heads (our $H$). Here $Q$, $K$ and $V$ are the
# *inputs*, not yet multiplied by any matrix, and in self-attention all three are the same $x$, one
# row for each word.
#
# $$\mathrm{MultiHead}(Q, K, V) = \mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O$$
#
# $$\mathrm{head}_i = \mathrm{Attention}(Q W_i^Q,\; K W_i^K,\; V W_i^V)$$
#
# - $W_i^Q$, $W_i^K$, $W_i^V$ are learned **projections**, the three matrices from above, and each
#   head has its own three. Each makes vectors of $d_k = D / h$ features from vectors of $D$, so a
#   head works in a **subspace** of its own.
# - $\mathrm{Concat}$ lays the heads side by side, and $h$ times $d_k$ features are $D$ again.
# - $W^O$ mixes the heads, since before it each feature comes from one head alone.
#
# In code, we lay the $h$ small matrices $W_i^Q$ side by side in one large one. For two heads and
# the $x$ of "fünf" it looks like this:
#
# $$W^Q = \left(\begin{array}{cc|cc} 0 & 1 & 1 & 0 \\ 1 & 0 & 0 & 0 \\ 2 & 0 & 0 & 1 \\
# 0 & 0 & 0 & 0 \end{array}\right) \qquad x = (2, 0, 0, 5) \qquad x\,W^Q = (0, 2 \mid 2, 0)$$
#
# Each column of the matrix makes one feature of the result. The left two columns are $W_1^Q$, and
# make the $(0, 2)$ of the first head, which we know as the query that looks for a ten. The right
# two are $W_2^Q$, and make the $(2, 0)$ of the second head, which looks for a digit. Since one
# product does both, we make `w_q` a single `nn.Linear(d_model, d_model)`, and each head gets its
# share of the output, just as `split_heads` cuts it. From here on, a color means a head:

# %% name="steps-split"
wb.show.multi_head_steps("split")

# %% [markdown]
# (In code, the first head is head 0. And `nn.Linear` stores the *transpose* of $W$, so a column
# here is a row of its `weight`.)
#
# ## Why not a loop over the heads?
#
# Each head now does what you built in lesson 01, with its own share of $q$, $k$ and $v$. We've set
# the second head by hand, too. There, digits look for digits, and "und" for "und". So while "fünf"
# looks at "zig" in head 0 and finds its ten, it looks at itself in head 1 and keeps its own 5:

# %% name="steps-heads"
wb.show.multi_head_steps("heads")

# %% [markdown]
# A loop over the heads would be right, too. But your function of lesson 01 works for any number of
# axes before the last two, so if we give the heads an axis of their own there, as in `(N, H, T,
# d_k)`, one call does them all:

# %% name="loop"
import time

query, key, value = torch.randn(3, 4, 8, 10, 16)  # each (N, H, T, d_k)


def in_a_loop():
    found = []
    for h in range(8):
        output, _ = scaled_dot_product_attention(query[:, h], key[:, h], value[:, h])
        found.append(output)
    return torch.stack(found, dim=1)


def at_once():
    return scaled_dot_product_attention(query, key, value)[0]


for way in (in_a_loop, at_once):
    way()
    start = time.perf_counter()
    for _ in range(200):
        way()
    print(f"{way.__name__:10} {(time.perf_counter() - start) * 5:.2f} ms a call")
print("equal:", torch.allclose(in_a_loop(), at_once(), atol=1e-5))

# %% [markdown]
# We get the same result, and here the loop takes two or more times as long. With tensors as small
# as these, starting an operation costs more than computing it, and the loop starts eight times as
# many. With 128 or 256 words on a CPU, we saw the loop run about as fast as the one call, or
# faster. But the axis of heads makes the code simpler in any case.
#
# ## Row 0 of the second head
#
# One trap waits before you write the module. In lesson 00 you saw `view` alone mix up the words. To
# see what that does to attention, we give each of 4 words 6 features that all hold the *number of
# the word*.
#
# *Predict, then run.* With two heads, which word does row 0 of the **second** head belong to, if we
# make the heads with `view` alone? It should be word 0, of course.

# %% name="guess-view"
word_of_row_0 = None

# %% name="reveal-view"
numbers = torch.arange(4)[None, :, None].expand(1, 4, 6).contiguous()  # (N, T, D)
viewed = numbers.view(1, 2, 4, 3)
print("split_heads:", split_heads(numbers, 2)[0, :, :, 0].tolist())
print("view alone: ", viewed[0, :, :, 0].tolist())
wb.reveal(word_of_row_0, viewed[0, 1, 0, 0])

# %% [markdown]
# With `split_heads`, row $i$ of each head is word $i$. With `view` alone, each head has one half of
# the sentence, and looks at that half only. A mask hides the wrong words, too, because it takes row
# 0 for word 0, while in the second head row 0 is word 2. Nothing warns us, since we get no error,
# and such a model even learns something.
#
# ## Your turn
#
# We have written `__init__` for you. It refuses sizes that don't fit, makes the four projections
# and a dropout module, and remembers the number of heads, so only `forward` remains:
#
# - each of `query`, `key` and `value` takes two steps, and a comment gives the resulting shape;
# - then all heads attend at once, with your function of lesson 01, which also takes the mask and
#   the dropout module, and returns the output and the weights;
# - finally, you put the results of the heads together again, as in this picture, and mix them.

# %% name="steps-concat"
wb.show.multi_head_steps("concat")

# %% [markdown]
# Now fill the five blanks of `forward`.
#
# <details><summary>The fine print</summary>
#
# - `mask` has any shape that broadcasts to `(N, H, T_q, T_k)`, True means "may be seen", and a row
#   that sees no key stays finite, as does one with very large scores.
# - Dropout acts on the weights and on nothing else, in training only (lesson 01).
# - `self.weights` holds the weights of the last call, `(N, H, T_q, T_k)`, and later lessons rely on
#   it. Those of a linear layer are called *weights*, too, but they are learned and stay, while
#   those of attention we compute again in each call.
# - If you write `__init__` yourself, keep its `ValueError`, and `w_q`, `w_k`, `w_v` and `w_o`, each
#   with a bias, as all that the module learns. Other names are yours, but lesson 12 can only make
#   your own model faster if it has `num_heads` and the module `dropout`, too.
# - PyTorch has this ready-made as `nn.MultiheadAttention`. Here you write it yourself, so check and
#   grading accept neither that nor what is built from it.
#
# </details>

# %% answer="MultiHeadAttention"

# %% check="MultiHeadAttention"

# %% [markdown]
# Stuck? The blanks are called `query`, `key`, `value`, `attend` and `output`.

# %% name="hint"
wb.hint("query")

# %% [markdown]
# *The formula, line by line.*
#
# | section 3.2.2 | your code |
# |---|---|
# | $Q W_i^Q$, for all $i$ at once | the blank `query` |
# | $K W_i^K$ | the blank `key` |
# | $V W_i^V$ | the blank `value` |
# | $\mathrm{Attention}(\ldots)$, Eq. 1 | the blank `attend` |
# | $\mathrm{Concat}(\ldots)\, W^O$ | the blank `output` |
#
# ## What eight heads cost
#
# *Predict, then run.* An `nn.Linear(512, 512)` has $512 \cdot 512 + 512 = 262\,656$ parameters. How
# many does the whole module have with 8 heads, and how many with 1?

# %% name="guess-parameters"
with_8_heads = None
with_1_head = None

# %% name="reveal-parameters"
MHA = wb.use("MultiHeadAttention")
wb.reveal(with_8_heads, sum(p.numel() for p in MHA(512, 8).parameters()))
wb.reveal(with_1_head, sum(p.numel() for p in MHA(512, 1).parameters()))

# %% [markdown]
# We get the same number twice, because the heads divide the features among themselves and add no
# parameters. But we pay a price, since each of the eight looks with vectors of 64 features instead
# of 512, and Question 1 asks you what that means.
#
# ## Each head writes where its projection says
#
# How does $W^O$ use the result of one head? Its first $d_k$ rows only ever meet the first head, the
# next ones only the second, and so on. So each head has its own share of $W^O$, and we **add** the
# results:
#
# $$\mathrm{Concat}(\mathrm{head}_1, \mathrm{head}_2)\,W^O
# = \mathrm{head}_1 W^O_1 + \mathrm{head}_2 W^O_2$$
#
# Once a head has found something, its share of $W^O$ decides which of the $D$ features receive it.
# In the picture, the second column of $W^O$ has a 1 for each of the two heads, so for "fünf" both
# write into the second feature, where their 1.65 and 4.03 add up to 5.68. (Nothing is lost, since
# the fourth feature still holds the 4.03 alone.)

# %% name="steps-output"
wb.show.multi_head_steps("output")

# %% [markdown]
# ## Self-attention and cross-attention
#
# In self-attention the three inputs are one and the same $x$, but they needn't be. The tensors that
# you pass decide which kind of attention the module computes:
#
# | | query | key and value | weights |
# |---|---|---|---|
# | **self-attention** | a sentence | the same sentence | `(N, H, T, T)` |
# | **cross-attention** | a sentence | another sentence | `(N, H, T_q, T_k)` |
#
# In self-attention a sentence learns about itself, while in cross-attention the translation so far
# asks the source sentence. In both, we get one output for each *query*.
#
# *Predict, then run.* Which shapes do the output and the weights have?

# %% name="guess-cross"
# 2 translations of 4 words ask 2 source sentences of 7 words; D is 12, and there are 3 heads
output_shape = None
weights_shape = None

# %% name="reveal-cross"
cross = MHA(12, 3)
translation, source = torch.randn(2, 4, 12), torch.randn(2, 7, 12)
output = cross(translation, source, source)
wb.reveal(output_shape, tuple(output.shape))
wb.reveal(weights_shape, tuple(cross.weights.shape))

# %% [markdown]
# ## Heads that look at different things
#
# In a trained model, we don't tell a head what to look for, since the projections are learned. To
# see what they *can* do, let's set them by hand. We give each word 12 features. The first half says
# *which word* it is, and the second half *at which position* it stands, each as a **one-hot
# vector**, a single 1 among zeros. With two heads, head 0 gets the words and head 1 the positions.
# `w_q` and `w_k` make everything three times as large, which sharpens the weights. In head 1, `w_k`
# also adds one to the position of each key. So the key of position 0 looks like position 1, the
# query of position 1 finds it, and that head looks *back*.
#
# Our sentence is "the dog saw the cat". Before you run the cell, decide where the two "the" will
# look in head 0, and where the word "saw" will look in head 1.

# %% name="two-heads"
words = ["the", "dog", "saw", "the", "cat"]
kinds = [0, 1, 2, 0, 3]
which = torch.eye(6)[kinds]  # (T, 6), which word
position = torch.eye(6)[:5]  # (T, 6), at which position
sentence = torch.cat([which, position], dim=-1)[None]  # (1, T, 12)

by_hand = MHA(12, 2, dropout=0.0)
with torch.no_grad():
    for projection in (by_hand.w_q, by_hand.w_k):
        projection.weight.copy_(3 * torch.eye(12))
        projection.bias.zero_()
    by_hand.w_k.weight[6:, 6:] = 3 * torch.diag(torch.ones(5), -1)  # position i becomes i + 1
by_hand(sentence, sentence, sentence)
wb.show.heads(by_hand.weights[0], words, words, title="Two heads, set by hand")

# %% [markdown]
# Head 0 finds equal words, so each "the" looks at both of them, and head 1 finds the word before,
# so "saw" looks at "dog". The first word has none before it, so all keys fit it equally badly, and
# it looks at all alike.
#
# Do heads in a trained model divide the work like that? Here are the four heads of the translator's
# encoder, in its second layer, while it reads 725. We trained them only to get the English right.
# Before you read on, find the heads that mostly look at the *next* piece.

# %% name="trained-heads"
wb.translator.heads(725)

# %% [markdown]
# Heads 2 and 3 do. Most of their dark cells stand just right of the diagonal, so "fünf" looks at
# "und", and "zwan" at "zig". A piece of a number has to know what follows it, since "fünf" before
# "hundert" is 500, and "fünf" before "und" is a 5 that has to wait. But these heads are learned,
# and less strict than those set by hand. From "und" both look past "zwan" to "zig", and in head 2
# "hundert" looks at itself. Head 1 collects at "und" and "zig", while head 0 is a mixture and, like
# many heads of trained models, not easy to read.
#
# ## The same as in PyTorch
#
# With the same weights, your module and PyTorch's must give the same numbers, although PyTorch
# differs in four ways:
#
# - it keeps the three projections in one matrix;
# - its masks mean the opposite, so True is *hidden* (its function `F.scaled_dot_product_attention`
#   has it our way round);
# - by default its batch is the second axis, which we switch off below;
# - by default it returns the mean of the weights over the heads, which we switch off, too.

# %% name="same-as-torch"
torch.manual_seed(2)
ours = MHA(16, 4, dropout=0.0)
theirs = nn.MultiheadAttention(16, 4, batch_first=True)
with torch.no_grad():
    projections = (ours.w_q, ours.w_k, ours.w_v)
    theirs.in_proj_weight.copy_(torch.cat([linear.weight for linear in projections]))
    theirs.in_proj_bias.copy_(torch.cat([linear.bias for linear in projections]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())

asking, asked = torch.randn(2, 3, 16), torch.randn(2, 5, 16)
real = torch.tensor([[True, True, True, True, True], [True, True, True, False, False]])
our_output = ours(asking, asked, asked, real[:, None, None, :])  # (N, 1, 1, T_k)
their_output, their_weights = theirs(
    asking, asked, asked, key_padding_mask=~real, average_attn_weights=False
)
print("largest difference of the outputs:", (our_output - their_output).abs().max().item())
print("largest difference of the weights:", (ours.weights - their_weights).abs().max().item())

# %% [markdown]
# If any difference is left, it is rounding in the seventh digit.
#
# ## Bug hunt
#
# How far away does a head look? The head that we set by hand looks one word back, while others look
# all over the sentence. To measure that, the function below takes the distances from a word to all
# others, and averages them with the head's weights. Then it averages over all words that aren't
# padding. It runs and returns a number for each head, but there are **two bugs** in it for you to
# find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Once it passes, try it on the two heads set by hand, with `looking_distance(by_hand.weights,
# torch.ones(1, 5, dtype=torch.bool))`. For head 1 we get 1.25, not 1. Which word causes most of the
# difference?
#
# <details><summary>The answer</summary>
#
# The first. It looks at all five places alike, and they are (0 + 1 + 2 + 3 + 4) / 5 = 2 away.
#
# </details>
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** `MultiHeadAttention(512, 8)` has as many parameters as `MultiHeadAttention(512,
# 1)`. What can eight heads do that one cannot, and what do they pay for it?

# %% [markdown] rubric="1"
# 1 point: each head has its own weights, so a word can look at several places for several reasons
# at once, and what was found stays apart (side by side) instead of being averaged into one. 1
# point: the price: each head compares and hands over vectors of only D / h = 64 features, so a
# single head can tell less apart (with very many heads each is too small).

# %% [markdown] model="1"
# Each of the eight heads has its own weights, so one word can look at several places for different
# reasons, and the results stay apart, side by side. One head has one set of weights, and mixes
# everything it finds into one average. The price is that each head compares and returns vectors of
# 64 features instead of 512, so a single head can tell less apart.

# %% [markdown] question="2" points="2"
# **Question 2.** Someone leaves out the last projection, `w_o`, since "the heads are merged
# anyway". What is missing then? Think of which head each feature of the output comes from.

# %% [markdown] rubric="2"
# 1 point: merging only lays the heads side by side: feature 0 to d_k - 1 come from head 0 alone,
# and so on; nothing in the module combines what different heads found (that layers which follow
# could is true as well). 1 point: w_o makes each output feature a learned mix of all heads (the
# module can weigh them, and decide where in the vector the result goes).

# %% [markdown] model="2"
# Without it, feature 0 to $d_k - 1$ of the output come from head 0 alone, the next ones from head
# 1, and so on: nothing in the module combines what different heads have found. `w_o` makes each
# feature of the output a learned mix of all heads, and decides where in the vector their results
# go.

# %% [markdown]
# ## In its place
#
# A sentence can now look at itself, or at another one, in several ways at once, with the part that
# gave the paper its name. Figure 1's three boxes stand in two layers each, so the translator has
# six attention layers, and now we make all six yours, with the weights that were trained:

# %% name="with-yours"
wb.translator.with_yours("MultiHeadAttention", sentences=(63, 934, 4013))

# %% [markdown]
# The Transformer stacks many such layers, and stacks as deep as that don't train by themselves. In
# lesson 03 you add the two things that they lack, **add & norm**. The lesson begins with two
# translators, of which the first has lost every add, and the second every norm. Before you open it,
# guess which of the two will still get a number right.

# %% name="progress"
wb.progress()
