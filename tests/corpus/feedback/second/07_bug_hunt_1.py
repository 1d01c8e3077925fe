# %% wrong: module_list_of_one | TRUE CAUSE: Mended halfway: the members are in an nn.ModuleList now, but they are still one and the same layer repeated.
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

# %% wrong: own_members_plain_list | TRUE CAUSE: Mended halfway: each member has weights of its own now, but they are kept in a plain list where PyTorch does not find them.
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

# %% wrong: average_of_logits | TRUE CAUSE: Both bugs are mended, but something right was changed as well: the logits are averaged and the softmax is taken of the average, instead of the average of the softmaxes.
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(nn.Linear(num_features, num_classes) for _ in range(num_members))

    def forward(self, x):
        votes = [member(x) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average.softmax(dim=-1)
