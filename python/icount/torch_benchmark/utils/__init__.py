"""The modules of torch.utils.benchmark.utils under their names there, for code that imports from them."""
