# %% right: running_sum
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0.0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% right: stacked_in_the_middle
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = (nn.Linear(num_features, num_classes) for _ in range(num_members))
        self.members = nn.ModuleList(members)

    def forward(self, x):
        scores = torch.stack([member(x) for member in self.members], dim=1)
        return scores.softmax(dim=-1).mean(dim=1)


# %% right: own_sum_of_votes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% right: own_members_by_name
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.names = [f"member{i}" for i in range(num_members)]
        for name in self.names:
            self.add_module(name, nn.Linear(num_features, num_classes))

    def forward(self, x):
        scores = torch.stack([getattr(self, name)(x) for name in self.names], dim=-1)
        votes = scores.softmax(dim=-2)  # over the classes; (N, num_classes, num_members)
        return votes.mean(dim=-1)


# %% right: tenth_own_running_sum
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% right: tenth_own_stack_then_softmax
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.voters = nn.ModuleDict(
            {f"voter{i}": nn.Linear(num_features, num_classes) for i in range(num_members)}
        )

    def forward(self, x):
        scores = torch.stack([voter(x) for voter in self.voters.values()], dim=-2)
        return scores.softmax(dim=-1).mean(dim=-2)  # (N, members, classes) -> (N, classes)


# %% right: eleventh_own_running_mean
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% right: eleventh_own_numbered_attributes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.names = [f"member_{number}" for number in range(num_members)]
        for name in self.names:
            setattr(self, name, nn.Linear(num_features, num_classes))

    def forward(self, x):
        votes = torch.stack([getattr(self, name)(x).softmax(-1) for name in self.names], dim=-1)
        return votes.mean(-1)


# %% right: twelfth_own_running_total
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)
# %% right: twelfth_own_named_attributes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        for i in range(num_members):
            self.add_module(f"member_{i}", nn.Linear(num_features, num_classes))

    def forward(self, x):
        scores = torch.stack([layer(x) for layer in self.children()], dim=1)
        return scores.softmax(dim=2).mean(dim=1)
