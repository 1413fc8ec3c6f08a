{checkpoint}
