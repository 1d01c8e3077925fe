# %% [markdown]
# ## It looks, and cannot think
#
# We leave every attention of this translator on, and switch off only the feed-forward network at
# the end of each of its four layers. Which of these four numbers will it still get right?

# %% name="without-feed-forward"
wb.translator.compare(54, 725, 400005, 999999, without="feed-forward")

# %% [markdown]
# 54 comes out right, but 725 already doesn't. Although most of the words that the translator writes
# are right, it loses track. It stops too early, skips a "hundred", or says "nine" until it runs out
# of room. It can still look wherever it likes, but it no longer works on what it finds there.
#
# ## What you will be able to do
#
# - write the position-wise feed-forward network, Eq. 2 of the paper,
# - say what it can do that attention cannot, and what **position-wise** means,
# - count parameters by hand, and say in which part of a layer most of them are,
# - name the activation functions that newer models use in place of the ReLU.
#
# It takes about 45 minutes.
#
# *Where it sits.* Every encoder layer and every decoder layer ends with this network, inside the
# "Add & Norm" of lesson 03.

# %% name="where-it-sits"
wb.progress(current=["PositionwiseFeedForward"])

# %% [markdown]
# ## Attention moves, this network computes
#
# Why isn't attention enough? It takes averages, so each word gets a weighted mix of values, which
# are linear maps of the words. Attention thus decides well *what* is brought to a word, but it
# can't do much *with* it. Although its weights depend on the words, they only choose the mix. For
# any fixed weights, the result is linear in the words, and no linear map can compute even the
# absolute value of a number.
#
# So we leave the computing to the last sublayer. For each position alone, a linear layer widens its
# vector, a **nonlinear** function acts on it, and a second linear layer narrows it again (section
# 3.3):
#
# $$\mathrm{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# The nonlinear part, $\max(0, \ldots)$, is called **ReLU** (rectified linear unit), in torch
# `relu`. It works **elementwise**, on each number by itself, and turns every negative one into 0.
# We call such a function between two linear layers an **activation function**, and the numbers
# between the two layers **hidden units**.
#
# *By hand.* We take the smallest example, with one feature, two hidden units and no biases. $W_1$
# turns x into $(x, -x)$, and $W_2$ adds the two up.
#
# | x | $x W_1$ | after the ReLU | times $W_2$ | without the ReLU |
# |---|---|---|---|---|
# | 3 | (3, -3) | (3, 0) | 3 | 0 |
# | -2 | (-2, 2) | (0, 2) | 2 | 0 |
# | 0.5 | (0.5, -0.5) | (0.5, 0) | 0.5 | 0 |
#
# With the ReLU this network computes the absolute value of x. Without it, the two matrices merge
# into one, since $(x W_1) W_2 = x (W_1 W_2)$, and here their product is 0. However many linear
# layers we stack, they do no more than one, unless we put something **between** them that is not
# linear.
#
# A bias shifts the place where a hidden unit leaves 0. With weight 1 and bias -t, the unit computes
# $\max(0, x - t)$, which is 0 up to the **threshold** t and rises from there. So it asks a small
# question, whether x lies above its threshold. With many features, it asks whether x reaches far
# enough in some direction. Each such question bends the network's answer in one place. How well can
# 3 hidden units follow a wave, and how well 30?

# %% name="bends"
grid = torch.linspace(-3, 3, 121, dtype=torch.float64)
target = torch.sin(2 * grid)
lines = {"target": (grid, target)}
for questions in (3, 30):
    thresholds = torch.linspace(-3, 3, questions + 1, dtype=torch.float64)[:-1]
    bent = torch.relu(grid[:, None] - thresholds)
    bent = torch.cat([bent, torch.ones(121, 1, dtype=torch.float64)], dim=1)  # and a bias
    best = torch.linalg.lstsq(bent, target[:, None]).solution
    lines[f"{questions} hidden"] = (grid, (bent @ best).squeeze(1))
wb.show.curves(
    lines,
    title="A wave, made of straight pieces with a bend at each threshold",
    x_label="x",
    y_label="what the network answers",
)

# %% [markdown]
# At each threshold, a new straight piece begins. (The first threshold is the left edge, so 3 hidden
# units make only two bends that you see. Instead of training, we computed the best $W_2$ for each
# curve.) Three pieces miss the wave, but 30 follow it so closely that the two lines lie on one
# another. Width buys bends. The paper makes each word's vector four times as long between the two
# layers, from $d_{model} = 512$ to $d_{ff} = 2048$, and back.
#
# ## The same network for every word
#
# The paper calls the network **position-wise**, because each word of each sentence passes through
# it by itself, and **each time it is the same network**. Here is a sentence of three words, each
# with $D = 4$ features:

# %% name="network-drawn"
wb.show.same_network()

# %% [markdown]
# Do we need a loop over the words? No, because `nn.Linear` works on the last axis and leaves all
# others alone:
#
# | | shape |
# |---|---|
# | x | `(N, T, D)` |
# | hidden | `(N, T, d_ff)` |
# | output | `(N, T, D)` |
#
# The output has the shape of the input, so the residual connection of lesson 03 can add the two.
# (The paper's "two convolutions with kernel size 1" are the same network under another name.)
#
# ## Your turn
#
# You need two `nn.Linear`, called `w_1` and `w_2`, and between them the ReLU, followed by dropout
# on the hidden units. Fill the five blanks.
#
# <details><summary>The fine print</summary>
#
# - The module learns these two layers, each with a bias, and nothing else.
# - Dropout acts in train mode only, and is drawn again in each call. (Section 5.4 of the paper
#   names no dropout here, but the authors' code later had it, together with pre-norm.)
# - PyTorch has such a network ready-made inside `nn.TransformerEncoderLayer` and
#   `nn.TransformerDecoderLayer`. Here you write it yourself, so check and grading do not accept
#   these.
#
# </details>

# %% answer="PositionwiseFeedForward"

# %% check="PositionwiseFeedForward"

# %% [markdown]
# Stuck? The blanks are called `w_1`, `w_2`, `hidden`, `kept` and `output`.

# %% name="hint"
wb.hint("w_1")

# %% [markdown]
# *The equation, piece by piece.*
#
# | Eq. 2 | your code |
# |---|---|
# | $W_1$ and $b_1$ | the blank `w_1` |
# | $W_2$ and $b_2$ | the blank `w_2` |
# | $\max(0,\; x W_1 + b_1)$ | the blank `hidden` |
# | (dropout) | the blank `kept` |
# | $\ldots\, W_2 + b_2$ | the blank `output` |
#
# ## One word changes
#
# To see whether your network really works on each word by itself, we change the third word of a
# sentence, and draw how much each position of the result changes. We do so first with the network,
# and then with the attention of lesson 01. Which rows get color in each picture?

# %% name="one-word-changes"
FeedForward = wb.use("PositionwiseFeedForward")
torch.manual_seed(0)
mine = FeedForward(6, 24).eval()
torch.manual_seed(4)
words = ["the", "dog", "saw", "a", "cat"]
before = 0.5 * torch.randn(1, 5, 6)
after = before.clone()
after[0, 2] += 1.0
change = (mine(after) - mine(before)).abs()[0]
wb.show.heat_map(
    change.detach(),
    words,
    title="Feed-forward: how much each feature changes",
    row_axis="word",
    column_axis="feature",
)

# %% name="one-word-changes-attention"
attention = wb.use("scaled_dot_product_attention")
change = (attention(after, after, after)[0] - attention(before, before, before)[0]).abs()[0]
wb.show.heat_map(
    change,
    words,
    title="Attention: how much each feature changes",
    row_axis="word",
    column_axis="feature",
)

# %% [markdown]
# In the first picture only the row of "saw" has color, while in the second every row has some,
# since all words have looked at "saw". So the two sublayers share the work. While attention carries
# information between positions, the feed-forward network works on what has arrived.
#
# ## Where most of the parameters are
#
# *Predict, then run.* `nn.Linear(a, b)` holds a matrix of $a \cdot b$ numbers, and b more for the
# bias. How many parameters does the whole network have for $d_{model} = 4$ and $d_{ff} = 16$, and
# how many in the paper's size (512 and 2048)?

# %% name="guess-parameters"
parameters_small = None  # one number
parameters_paper = None


# %% name="reveal-parameters"
def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


wb.reveal(parameters_small, count(FeedForward(4, 16)))
wb.reveal(parameters_paper, count(FeedForward(512, 2048)))

# %% [markdown]
# Is that a lot? We compare it with the rest of one encoder layer of the paper's model. The
# attention there has four linear layers from 512 features to 512, for queries, keys, values and the
# result, and two LayerNorms come on top.

# %% name="parameters"
wb.show.parameters(
    {
        "attention": 4 * count(nn.Linear(512, 512)),
        "feed-forward": count(FeedForward(512, 2048)),
        "two norms": 2 * 2 * 512,
    },
    title="Parameters of one encoder layer, D = 512",
)

# %% [markdown]
# Two thirds of a layer's parameters sit in this plain network. Attention has four matrices of D by
# D, and although the network has only two, each is four times as large, so together they hold twice
# as much.
#
# Does the network also do most of the work? For each word, its two matrices take $8D^2$
# multiplications. Those of attention take $4D^2$ and, in a text of n words, $2nD$ more go into the
# scores and averages of lesson 01. So the network has more to do, until the text is longer than
# $2D$ words, here 1024.
#
# What do we get for so many parameters? Each hidden unit asks a question, and the clearer the yes,
# the more of its row of $W_2$ we add to the result. So we can read the network as a list of 2048
# questions with their answers. They are much like keys and values, but learned, and not made from
# the sentence. [Geva et al. 2021](https://arxiv.org/abs/2012.14913) read in this way (section 2) a
# **language model**, which predicts the next word of a text. They found that its questions
# recognize patterns of the text (section 3).
#
# <details><summary>Can a model know more without computing more?</summary>
#
# Many of the largest models do. They have several such networks in a layer, the **experts** of a
# **mixture of experts** ([Shazeer et al. 2017](https://arxiv.org/abs/1701.06538), section 2). For
# each word, a small linear layer, the **router**, scores the experts. We send the word only through
# the best few, and the softmax of their scores says how much each result counts. In Mixtral ([Jiang
# et al. 2024](https://arxiv.org/abs/2401.04088), section 2.1), for example, each word passes
# through 2 of 8 experts. It thus uses only 13 of the model's 47 billion parameters.
#
# </details>
#
# ## The ReLU and its successors
#
# Is the ReLU the best activation function? Where its input is negative, it returns 0, and its
# gradient is 0 as well. So a hidden unit whose input is negative for every word no longer learns,
# and we call it **dead**. Newer activation functions are smooth, and let a little through below 0.

# %% name="activations"
grid = torch.linspace(-4, 3, 141)
wb.show.curves(
    {
        "ReLU": (grid, F.relu(grid)),
        "GELU": (grid, F.gelu(grid)),
        "SiLU": (grid, F.silu(grid)),
    },
    title="The ReLU and two successors",
    x_label="input",
    y_label="output",
)

# %% [markdown]
# - **GELU** ([Hendrycks and Gimpel 2016](https://arxiv.org/abs/1606.08415), section 2), used by
#   BERT and GPT-2, multiplies its input z by the probability that a number drawn from the standard
#   normal distribution is below z.
# - **SiLU** (also called Swish), in torch `F.silu`, multiplies z by its sigmoid instead, which is
#   $1 / (1 + e^{-z})$.
# - **SwiGLU** ([Shazeer 2020](https://arxiv.org/abs/2002.05202), section 2) has two first layers
#   instead of one. One of them, followed by SiLU, is the **gate**. We multiply the result of the
#   other by it, elementwise, so the gate decides how much of each number passes. Since it takes
#   three matrices in place of two, $d_{ff}$ shrinks to two thirds, here 1365, and the network stays
#   as large as before. Many of today's large models use it.
#
# ## Bug hunt
#
# The function below should be a feed-forward network with SwiGLU. It runs, and its result has the
# right shape, but there are **two bugs** in it. Find and fix them.
#
# Don't compare the code word by word, but ask how a correct function *behaves*. If we change one
# word of x, what may change in its result, and if we set `w_gate` to zeros, what must it return,
# whatever `w_up` is?

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend removes the ReLU, "since the network has two layers with weights anyway".
# What can the network still do, and why doesn't it matter any more how large $d_{ff}$ is (as long
# as it is at least $d_{model}$)?

# %% [markdown] rubric="1"
# 1 point: two linear layers in a row are one linear layer: $(x W_1 + b_1) W_2 + b_2 = x (W_1 W_2) +
# (b_1 W_2 + b_2)$, so it can only compute linear (affine) functions. 1 point: the product $W_1 W_2$
# is a D by D matrix whatever $d_{ff}$ is, so more hidden units add nothing.

# %% [markdown] model="1"
# Without the ReLU, $(x W_1 + b_1) W_2 + b_2 = x (W_1 W_2) + (b_1 W_2 + b_2)$, so two linear layers
# are one, and the network can only compute linear functions (plus a constant). The product
# $W_1 W_2$ is a matrix of $d_{model}$ by $d_{model}$, whatever $d_{ff}$ is, so more hidden units
# add nothing.

# %% [markdown] question="2" points="2"
# **Question 2.** You shuffle the words of a sentence before the feed-forward network, and undo the
# shuffling afterwards. Does the result change, and why? And what follows for a model of such
# networks alone, without attention?

# %% [markdown] rubric="2"
# 1 point: it does not change: each position is computed by the same network from its own features
# only, so the order of the others does not matter. 1 point: in such a model no word would ever
# learn anything about another word; the context could not influence it. It takes attention to move
# information between positions.

# %% [markdown] model="2"
# It does not change. The same network computes each position from that position's features alone,
# so the order of the others has no influence. In a model of such networks only, no word would learn
# anything about another word, and its context could not change what it means, since moving
# information between positions takes attention.

# %% [markdown]
# ## In its place
#
# You now have both kinds of sublayer, and the frame that holds each of them. We put your network
# into all four layers of the translator, with the weights that were trained:

# %% name="with-yours"
wb.translator.with_yours("PositionwiseFeedForward", sentences=(725, 400005, 999999))

# %% [markdown]
# We still need the inputs of the first layer, vectors for the words that also carry their *order*.
# You build these **embeddings and positions** in lesson 05, which begins with a translator that
# doesn't know where in the sentence a word is. Before you open the lesson, guess what this
# translator will answer to 384 and to 483.

# %% name="progress"
wb.progress()
