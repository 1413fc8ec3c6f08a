package dev.refrain.trials.simulation.law;
/** Guarantee of a downstream to callers that do not know whether their call arrived. */
public enum SimulatedGuarantee {
    /** Honours keys for ever: a key has one effect. */
    KEYS_FOR_EVER,
    /** Honours keys for a limited time. */
    KEYS_FOR_A_WHILE,
    /** Acts on every call, and offers a lookup. */
    LOOKUP,
    /** Acts on every call, and offers no lookup. */
    NOTHING
}
