package dev.refrain.store.contract;
/** Suite of the ability {@link dev.refrain.store.RecordCounter}: counts the keys of a scope and all unfinished records. */
public interface CountsContract extends ScopeCountContractTests, CensusContractTests {}
