{complete}
