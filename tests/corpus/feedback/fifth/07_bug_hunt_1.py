# %% wrong: module_list_of_one_layer | TRUE CAUSE: only one bug is repaired: the members are in a ModuleList, but they are still one single layer standing there several times
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = nn.ModuleList([nn.Linear(num_features, num_classes)] * num_members)
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average


# %% wrong: new_layers_in_a_plain_list | TRUE CAUSE: only one bug is repaired: each member is a layer of its own, but they are in a plain list, where PyTorch does not find them
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


# %% wrong: average_of_the_logits | TRUE CAUSE: both bugs are repaired, but a right line was changed: the logits are averaged and the softmax is taken of the average, instead of averaging the votes
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )

    def forward(self, x):
        votes = torch.stack([member(x) for member in self.members])
        average = votes.mean(dim=0).softmax(dim=-1)  # (N, num_classes)
        return average


# %% wrong: module_dict_with_one_key | TRUE CAUSE: all members are put under the same key of a ModuleDict, so each replaces the one before and a single member is left
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict()
        for _ in range(num_members):
            self.members["member"] = nn.Linear(num_features, num_classes)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members.values()]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average
