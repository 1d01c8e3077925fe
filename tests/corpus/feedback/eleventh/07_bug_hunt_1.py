# %% wrong: same_layer_from_generator | TRUE CAUSE: one bug is left in: the ModuleList is registered now, but its generator yields the one `member` made before it again and again, so all members still share one set of weights
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        member = nn.Linear(num_features, num_classes)
        members = nn.ModuleList(member for _ in range(num_members))
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: softmax_over_the_batch | TRUE CAUSE: both bugs are mended, but the softmax, which was right, is changed from dim=-1 to dim=0, so it runs over the batch instead of the classes and the votes of a row do not sum to 1
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=0) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: own_average_before_softmax | TRUE CAUSE: the scores of the members are averaged first and the softmax is taken of the mean, instead of averaging the members' votes after each one's softmax, which gives other probabilities
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict(
            {f"member_{i}": nn.Linear(num_features, num_classes) for i in range(num_members)}
        )

    def forward(self, x):
        total = 0
        for member in self.members.values():
            total = total + member(x)
        return F.softmax(total / len(self.members), dim=-1)

# %% wrong: own_majority_of_hard_votes | TRUE CAUSE: "votes" is misread as hard votes: each member's argmax is made one-hot and these are averaged, instead of the softmax probabilities, so the result has steps of 1/num_members and no gradient reaches the members
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_classes = num_classes
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        ballots = torch.stack([member(x).softmax(dim=-1).argmax(dim=-1) for member in self.members])
        return F.one_hot(ballots, self.num_classes).float().mean(dim=0)
