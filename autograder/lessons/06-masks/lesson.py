# %% [markdown]
# ## Three numbers in one batch
#
# A Transformer needs two masks, and the first one hides **padding**. When we send three numbers
# through the translator together, it fills up the short ones with padding to the length of the long
# one. Without the mask, attention takes this padding for words. Which of the three will the
# translator get wrong?

# %% name="without-padding-mask"
wb.translator.compare(7, 40, 999999, without="padding mask")

# %% [markdown]
# Seven becomes ninety. 40 gets away with it, although it is filled up as well. Will seven come out
# right if it goes through alone, still without the mask?

# %% name="without-padding"
wb.translator.compare(7, without="padding mask")

# %% [markdown]
# It does, because alone it doesn't need any padding. (The last line hasn't changed, since its 200
# numbers still go through together.) So seven was wrong for no other reason than that it shared its
# batch with a long number, and bugs of this kind come and go with the rest of the batch.
#
# The other mask, the **causal mask**, hides the future, so a word may not look at the words that
# come after it. While the translator writes, the last word has nothing after it, but the earlier
# ones do. How much of a translation do we get if they look?

# %% name="without-causal-mask"
wb.translator.compare(963, 5471, 31956, without="causal mask")

# %% [markdown]
# The first words are right, and the rest is missing. In training the earlier words never looked
# ahead, so if they do it now, their vectors change and the translator loses its place. Further
# below, we even *train* a model without this mask.
#
# ## What you will be able to do
#
# - write the masks of the Transformer, the padding mask, the causal mask, and both together
#   (section 3.2.3 of [the paper](https://arxiv.org/abs/1706.03762)),
# - say what each axis of a mask is for, and let broadcasting do the rest,
# - tell the four conventions for masks apart, and know which library uses which,
# - recognize a model that was trained without its mask.
#
# It takes about 60 minutes.
#
# *Where it sits.* Each of the three attention layers in Figure 1 uses a mask, but masks have no box
# of their own there, so the map shows them at the side.

# %% name="where-it-sits"
wb.progress(current=["padding_mask", "causal_mask", "target_mask"])

# %% [markdown]
# ## Who may look where
#
# In attention every position may look at every other, and twice we've seen that go too far. Which
# positions must not be seen?
#
# - **Padding.** Sentences of a batch have different lengths, so the shorter ones are filled up with
#   a token that means nothing. No query should look at it.
# - **The future.** A decoder learns to predict the next token. In training it is given the whole
#   sentence at once, and every position predicts its next token at the same time. If a position
#   could look ahead, it would find the answer there.
#
# For this we use a **mask**, a table of True and False that says which query (row) may look at
# which key (column). In this course **True means that the key may be attended to**. Where it says
# False, your function of lesson 01 makes the weight exactly 0. Here we draw the two masks of one
# sentence, and both together. The last token of the sentence is padding. The first, `<bos>`, is the
# **start token**, which stands before the first word, so that a decoder has something to predict
# that word from.

# %% name="three-masks"
wb.show.masks("<bos> the cat sat <pad>")

# %% [markdown]
# Read them row by row. Under the padding mask, every row lacks the last column. Under the causal
# mask, the first token sees itself alone, and each further one sees one more. "Both" allows a key
# only where each of the two does.
#
# *By hand.* We take the ids 5, 6, 0, where 0 is padding, and give each query a row:
#
# | query | padding | causal | both |
# |---|---|---|---|
# | 5 | yes yes no | yes no no | yes no no |
# | 6 | yes yes no | yes yes no | yes yes no |
# | 0 | yes yes no | yes yes yes | yes yes no |
#
# The last row belongs to the padding itself, which looks at the real words and gets nonsense. That
# does no harm, because under "both" no query looks at the padding, and the loss skips its row.
#
# <details><summary>And if we pad on the left?</summary>
#
# Then a row of the padding sees no key at all under the mask "both". Such a row is the one
# exception to the exact 0, since your function may weigh all its keys alike (lesson 01). But the
# loss skips this row, too.
#
# </details>
#
# ## Four axes
#
# The scores of multi-head attention are `(N, H, T_q, T_k)`, but we don't need a mask that large, as
# long as it *broadcasts* to that shape, where an axis of size 1 is repeated as often as needed.
# Here the padding mask has a single row for each of two sentences, which serves all heads and all
# queries:

# %% name="axes-drawn"
wb.show.mask_axes()

# %% [markdown]
# Every mask has size 1 on the axes that make no difference to it:
#
# | | shape | the same for |
# |---|---|---|
# | padding mask | `(N, 1, 1, T)` | all heads, all queries |
# | causal mask | `(1, 1, T, T)` | all sentences, all heads |
# | both | `(N, 1, T, T)` | all heads |
#
# ## Your turn: padding
#
# `ids` holds the tokens of N sentences, `(N, T)`, and `pad_id` says which token is padding.
# `unsqueeze(i)` puts an axis of size 1 at place i. Fill the two blanks.
#
# <details><summary>The fine print</summary>
#
# - `pad_id` need not be 0, and ids are names without an order.
# - Most batches are padded on the right, but padding may stand anywhere.
# - The mask is on the device that `ids` are on.
#
# </details>

# %% answer="padding_mask"

# %% check="padding_mask"

# %% [markdown]
# Stuck? The blanks are called `real` and `axes`.

# %% name="hint-padding"
wb.hint("real")

# %% [markdown]
# ## Your turn: the future
#
# Position 0 is the first row, and may see the first column only. But mind the diagonal, where a
# position sees *itself*, since the decoder already has that token and predicts the one after.
#
# Fill the two blanks, first a square in which everything may be seen, then the part of it that
# stays visible. `tril` and `triu` keep the lower and the upper triangle of a matrix.
#
# <details><summary>The fine print</summary>
#
# - The mask is boolean, like the one before.
# - It is on the `device` that was requested, since a model on a GPU cannot use a mask on the CPU.
# - PyTorch has this ready-made, as `nn.Transformer.generate_square_subsequent_mask`, which you will
#   meet below. Here you write it yourself, so check and grading don't accept it.
#
# </details>

# %% answer="causal_mask"

# %% check="causal_mask"

# %% [markdown]
# Stuck? The blanks are called `square` and `triangle`.

# %% name="hint-future"
wb.hint("square")

# %% [markdown]
# ## Your turn: both
#
# The decoder's own sentences need both masks at once, and you've written the two parts. Fill the
# one blank, and mind the device of `ids`, because both parts have to be on it.

# %% answer="target_mask"

# %% check="target_mask"

# %% [markdown]
# Stuck? The blank is called `both`.

# %% name="hint-both"
wb.hint("both")

# %% [markdown]
# *The paper, line by line.*
#
# | section 3.2.3 | your code |
# |---|---|
# | "prevent leftward information flow in the decoder" (from later words) | the blank `triangle` |
# | "masking out (setting to $-\infty$) all values in the input of the softmax" | lesson 01 |
# | "which correspond to illegal connections" | where the mask is False |
#
# That section leaves out padding, so the padding mask has no line in this table.
#
# *Predict, then run.* We have two sentences, `[5, 6, 7, 0]` and `[8, 0, 0, 0]`, where 0 is padding.
# How many entries of the mask "both" are True, in the two sentences together?

# %% name="guess-count"
how_many = None  # a number

# %% name="reveal-count"
target = wb.use("target_mask")
two_sentences = torch.tensor([[5, 6, 7, 0], [8, 0, 0, 0]])
wb.reveal(how_many, int(target(two_sentences, 0).sum()))

# %% [markdown]
# Row by row, we count 1 + 2 + 3 + 3 in the first sentence, and 1 + 1 + 1 + 1 in the second.
#
# ## What does a mask do to the keys that we see?
#
# Run the cell. In its row "cat", the token "sat" is hidden, but if you untick "hide the future",
# "sat" gets some weight, too. From which keys will that weight come? Guess before you untick.

# %% name="mask-builder"
wb.show.mask_builder()

# %% [markdown]
# It comes from all of them, each in proportion to its own weight, since the softmax now divides the
# whole row by a larger sum. So a wrong mask also changes the weights of the keys that we may see.
#
# ## What if we forget the mask?
#
# Without the causal mask, no error appears and no shape is wrong. To see the harm, we train two
# tiny models, one with the mask and one without. Their language has sentences such as "the small
# cat sees this red bird and the dog hears .", drawn word by word at random. (You don't
# need to read the code of this section.)

# %% name="language"
CHOICES = [
    *("the this", "small old red", "cat dog bird", "sees likes hears"),
    *("the this", "small old red", "cat dog bird", "and"),
    *("the this", "cat dog bird", "sees likes hears", "."),
]
CHOICES = [choice.split() for choice in CHOICES]
WORDS = ["<pad>", "<bos>", *sorted({word for choice in CHOICES for word in choice})]


def draw_sentences(count):
    """Ids of sentences drawn at random, (count, 13), each with <bos> in front."""
    columns = [torch.full((count,), WORDS.index("<bos>"))]
    for choice in CHOICES:
        known = torch.tensor([WORDS.index(word) for word in choice])
        columns.append(known[torch.randint(len(choice), (count,))])
    return torch.stack(columns, dim=1)


torch.manual_seed(0)
for row in draw_sentences(3):
    print(" ".join(WORDS[token] for token in row))

# %% [markdown]
# How low can the loss get? After the first "the", we can't know whether "small", "old" or "red"
# comes next. A model that knows the language perfectly gives each of these the probability 1/3, so
# its loss there is $-\ln \frac{1}{3} = \ln 3$ (lesson 03). Where two words are possible it is $\ln
# 2$, and for "and" and the full stop it is 0. Seven words of a sentence have three choices and
# three have two, so the mean over all of its words is $(7 \ln 3 + 3 \ln 2) / 12 = 0.81$.
#
# Here is the model, one layer of your attention.

# %% name="tiny-model"
TokenEmbedding, PositionalEncoding, MultiHeadAttention, future_hidden = wb.use(
    "TokenEmbedding", "PositionalEncoding", "MultiHeadAttention", "causal_mask"
)


class TinyModel(nn.Module):
    """One layer of attention that predicts the next word at every position."""

    def __init__(self, size=32):
        super().__init__()
        self.tokens = TokenEmbedding(len(WORDS), size)
        # Small numbers to start with, as in lesson 05: the factor makes them larger again.
        nn.init.normal_(self.tokens.embedding.weight, std=size**-0.5)
        self.positions = PositionalEncoding(size, dropout=0.0, max_len=20)
        self.attention = MultiHeadAttention(size, 2, dropout=0.0)
        self.guess = nn.Linear(size, len(WORDS))

    def forward(self, ids, mask):
        x = self.positions(self.tokens(ids))
        return self.guess(x + self.attention(x, x, x, mask))


# %% [markdown]
# *Predict, then run.* We train both models in the same way, for 150 steps, and the one with the
# mask gets near 0.81. Where does the one *without* a mask end?

# %% name="guess-leak"
loss_without = None  # 0, 0.4, 0.8 or 1.2: what comes nearest


# %% name="two-trainings"
def train(masked, steps=150):
    torch.manual_seed(1)
    model, losses = TinyModel(), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        ids = draw_sentences(64)
        given, wanted = ids[:, :-1], ids[:, 1:]  # wanted: at each position, the next word
        mask = future_hidden(given.size(1)) if masked else None
        loss = F.cross_entropy(model(given, mask).flatten(0, 1), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


honest, with_mask = train(masked=True)
leaky, without_mask = train(masked=False)
wb.reveal(loss_without, without_mask[-1])
wb.show.curves(
    {"with mask": with_mask, "limit": [0.81] * 150, "without mask": without_mask},
    title="Training loss: one of them is too good to be true",
    x_label="step",
    y_label="loss per word",
)

# %% [markdown]
# Without the mask, the loss falls far below the limit. The model knows even words that were drawn
# at random, because each position looks at the next one, where the answer stands, and copies it.
# When an answer gets through to a model in this way, we speak of a **leak**.
#
# Now we let both write, which is called **decoding**. There is no future yet in decoding, since we
# give the model only the words that it has written so far, and it predicts the next one at the last
# position. With one layer, as here, that position doesn't need a mask. (In a deeper stack it also
# reads what the earlier positions have gathered, and these must not have looked ahead.)
#
# *Predict, then run.* Each of the two writes 100 sentences. How many sentences of the model
# *without* the mask belong to the language?

# %% name="guess-sentences"
sentences_without = None  # 0, 30, 70 or 100: what comes nearest

# %% name="decoding"
torch.manual_seed(0)


def write(model, masked, count=100):
    """Sentences that a model writes by itself, as words."""
    ids = torch.full((count, 1), WORDS.index("<bos>"))
    for _ in CHOICES:
        mask = future_hidden(ids.size(1)) if masked else None
        shares = model(ids, mask)[:, -1].softmax(dim=-1)
        ids = torch.cat([ids, torch.multinomial(shares, 1)], dim=1)
    return [[WORDS[token] for token in row[1:]] for row in ids]


def tell(name, sentences):
    right = [
        all(word in choice for word, choice in zip(words, CHOICES, strict=True))
        for words in sentences
    ]
    print(f"{name}: {sum(right)} of {len(right)} sentences are in the language, for instance")
    for words in sentences[:3]:
        print("   ", " ".join(words))
    return sum(right)


tell("with mask", write(honest, masked=True))
right_without = tell("without mask", write(leaky, masked=False))
wb.reveal(sentences_without, right_without)

# %% [markdown]
# The model with the lower loss has learned only to copy, and now it has nothing to copy from.
# Remember the signs, since a leak shows in large models just the same. The training loss is too
# good, the loss on new sentences (the **validation loss**) is just as good if we measure it in the
# same way, and the model writes nonsense as soon as it writes by itself.
#
# We can also test a mask without reading a loss, if we change the *last* token and see whether
# anything changes at the positions before it. With a right mask nothing does.

# %% name="test-for-leaks"
sentence = draw_sentences(1)[:, :-1]
changed = sentence.clone()
changed[0, -1] = WORDS.index(".")  # there stood a verb
for model, mask in [(honest, future_hidden(12)), (leaky, None)]:
    apart = (model(sentence, mask) - model(changed, mask))[:, :-1].abs().max()
    name = "without mask" if mask is None else "with mask"
    print(f"{name}: earlier outputs change by {apart:.4f}")

# %% [markdown]
# ## Four conventions, two of them alike
#
# When you read other code, find out first which of four conventions for masks it uses:
#
# | kind | may be seen | hidden | used by |
# |---|---|---|---|
# | boolean | True | False | `F.scaled_dot_product_attention`, this course |
# | boolean | False | True | `nn.MultiheadAttention`, `nn.Transformer` |
# | additive | 0.0 | minus infinity | `nn.Transformer.generate_square_subsequent_mask` |
# | numbers | 1 | 0 | the tokenizers of Hugging Face |
#
# We add an additive mask to the scores, and we make a mask of ones and zeros boolean first, so that
# 1 becomes True. The two boolean kinds are the trap, because they look the same and both run. Below
# we give your causal mask to torch's module, `nn.MultiheadAttention`, first inverted and then as it
# is, and at last to torch's function. Each time we compare the result with that of torch's own
# mask. Which of the three lines will say True?

# %% name="conventions"
torch.manual_seed(0)
layer = nn.MultiheadAttention(8, 2, batch_first=True).eval()
x = torch.randn(1, 4, 8)
mine = future_hidden(4)[0, 0]
additive = nn.Transformer.generate_square_subsequent_mask(4)
print(additive)
expected, _ = layer(x, x, x, attn_mask=additive)
turned, _ = layer(x, x, x, attn_mask=~mine)
as_it_is, _ = layer(x, x, x, attn_mask=mine)
print("inverted, the same result:  ", torch.allclose(turned, expected))
print("as it is, the same result:  ", torch.allclose(as_it_is, expected))

wanted = F.scaled_dot_product_attention(x, x, x, is_causal=True)
got = F.scaled_dot_product_attention(x, x, x, attn_mask=mine)
print("torch's function, as it is: ", torch.allclose(wanted, got))

# %% [markdown]
# Only the first and the third say True. As it is, your mask shows torch's module the future alone.
# For the last position that is nothing at all, so its row becomes nan, but no error warns us.
#
# ## Bug hunt
#
# So as not to waste work on padding, large models are trained with several sentences in one row,
# which is called **packing**. The mask below should keep each token from looking into the sentences
# beside its own. To save time, it should also let each token see only the last few tokens, a
# **sliding window**. The function runs, but there are **two bugs** in it for you to find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# Try your mask on three sentences in one row, with a window of 3. Here each token shares out its
# attention equally among those that it may see. Once you've fixed the mask, each sentence has its
# own small triangle, and no row has more than three weights.

# %% name="packed"
numbers = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 2, 2]])
labels = [f"s{number}" for number in numbers[0].tolist()]
visible = packed_mask(numbers, 3)[0, 0]
wb.show.heat_map(
    visible / visible.sum(dim=-1, keepdim=True),
    labels,
    labels,
    title="Equal weights for all that may be seen",
    mask=visible,
    row_axis="query",
    column_axis="key",
)

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend's translation model has a training loss near 0 after an hour, and writes
# nonsense. What do you suspect, why does the loss not show it, and which quick test would settle
# the question?

# %% [markdown] rubric="1"
# 1 point: the decoder sees the future (mask forgotten, inverted, off by one, or the input not
# shifted), so that it copies the next token instead of predicting it; the loss is measured under
# the same leak and so rewards it. 1 point for a test: change a later token and see whether earlier
# outputs change; or compare the loss with what an honest model can reach; or print the mask of a
# sentence of three tokens and read its rows.

# %% [markdown] model="1"
# I suspect that the decoder sees the future: the mask is missing, inverted or off by one, or the
# input is not shifted. Then the model copies the next token instead of predicting it, and the loss
# rewards that, since it is measured with the same leak. A quick test: change one later token of the
# target and see whether an output before it changes. It must not.

# %% [markdown] question="2" points="2"
# **Question 2.** A published notebook has a target mask that is causal only and forgets padding.
# Its sentences are padded on the *right*, and its loss skips padding. Does the mistake change the
# outputs at the real tokens? And if the padding were on the left? Say why.

# %% [markdown] rubric="2"
# 1 point: padded on the right, no: every padding token comes after every real one, so the causal
# mask hides it from them already; only the rows of the padding change, and the loss skips these. 1
# point: padded on the left, yes: the padding stands in the past of every real token, which then
# gives weight to it, so that the result depends on how much padding the batch happens to have.

# %% [markdown] model="2"
# With padding on the right it changes nothing at the real tokens: all padding comes after them, so
# the causal mask hides it already; only the rows of the padding differ, and the loss skips these.
# With padding on the left, the padding is in the past of every real token. Real tokens then give
# weight to it, and their results depend on how much padding the batch has.

# %% [markdown]
# ## In its place
#
# Three small functions say who may look where. You know what each axis of a mask is for, and that a
# wrong mask shows not in a crash but in a loss that is too good, or in an answer that changes with
# its batch. With your masks, seven is seven again, whatever stands beside it:

# %% name="with-yours"
wb.translator.with_yours(
    "padding_mask", "causal_mask", "target_mask", sentences=(7, 963, 31956, 999999)
)

# %% [markdown]
# You now have all parts of the layers. In lesson 07 you put them together, those of the **encoder**
# and those of the **decoder**, with three kinds of attention, each with its mask. The lesson begins
# with a translator whose encoder is gone. Its decoder still looks at the German words, but none of
# them has looked at the others, so is a "fünf" a 5 or a 50? Guess what it makes of 54 and of 45
# before you open the lesson.

# %% name="progress"
wb.progress()
