# %% wrong: module_list_of_one | TRUE CAUSE: only the container is fixed: nn.ModuleList holds the same layer num_members times, so all members share their weights
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: own_weights_in_a_plain_list | TRUE CAUSE: only the sharing is fixed: the members are different layers, but in a plain Python list, where PyTorch does not find their parameters
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: softmax_of_the_average | TRUE CAUSE: both bugs are fixed, but the scores are averaged and the softmax taken of that, instead of averaging the members' votes (probabilities)
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )

    def forward(self, x):
        votes = torch.stack([member(x) for member in self.members])
        return votes.mean(dim=0).softmax(dim=-1)  # (N, num_classes)

