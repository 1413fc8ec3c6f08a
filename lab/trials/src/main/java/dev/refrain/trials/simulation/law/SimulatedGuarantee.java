package dev.refrain.trials.simulation.law;
/** What another system offers to those who do not know whether their call arrived. */
public enum SimulatedGuarantee {
    /** A key that it has seen has no second effect. */
    KEYS_FOR_EVER,
    /** The same, but it forgets keys after a while. */
    KEYS_FOR_A_WHILE,
    /** It acts on every call, and can be asked what became of one. */
    LOOKUP,
    /** It acts on every call, and cannot be asked. */
    NOTHING
}
