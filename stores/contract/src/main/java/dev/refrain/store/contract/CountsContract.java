package dev.refrain.store.contract;

/** Suite of the ability {@link dev.refrain.store.RecordCounter}: keys of a scope, and what is not settled. */
public interface CountsContract extends ScopeCountContractTests, CensusContractTests {}
