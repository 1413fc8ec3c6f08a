package dev.refrain.spec;
/** Properties of {@code Promises.tla}, with their lines in a configuration and in TLC's output. */
enum ModelProperty {
    WELL_FORMED("WellFormed", Kind.INVARIANT),
    ONE_EFFECT("OneEffect", Kind.INVARIANT),
    ONE_CHARGE("OneCharge", Kind.INVARIANT),
    NO_LOST_EFFECT("NoLostEffect", Kind.INVARIANT),
    NO_HALF_EFFECT("NoHalfEffect", Kind.INVARIANT),
    ONE_CLAIM_WRITES("OneClaimWrites", Kind.INVARIANT),
    REPLAYS_ARE_EQUAL("ReplaysAreEqual", Kind.INVARIANT),
    MISMATCH_IS_REFUSED("MismatchIsRefused", Kind.INVARIANT),
    OUTCOMES_STAND("OutcomesStand", Kind.STEP),
    STATES_AS_DRAWN("StatesAsDrawn", Kind.STEP),
    FENCES_GROW("FencesGrow", Kind.STEP),
    NOTHING_HALF_DONE_IS_FORGOTTEN("NothingHalfDoneIsForgotten", Kind.STEP),
    EVERY_KEY_ENDS("EveryKeyEnds", Kind.LIVENESS),
    EVERY_RUN_ENDS("EveryRunEnds", Kind.LIVENESS);

    private enum Kind {
        /** Property of every state. */
        INVARIANT,
        /** Property of every step. */
        STEP,
        /** Property of whole behaviours, which have to be fair. */
        LIVENESS
    }

    private final String name;
    private final Kind kind;

    ModelProperty(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
    }

    boolean isLiveness() {
        return kind == Kind.LIVENESS;
    }

    /** Returns the configuration line that checks this property. */
    String asked() {
        return (kind == Kind.INVARIANT ? "INVARIANT " : "PROPERTY ") + name;
    }

    /**
     * Returns the line that TLC prints when the property is violated. A violated liveness property is not named, so it has to be checked
     * alone.
     */
    String refuted() {
        return switch (kind) {
            case INVARIANT -> "Error: Invariant " + name + " is violated.";
            case STEP -> "Error: Action property " + name + " is violated.";
            case LIVENESS -> "Error: Temporal properties were violated.";
        };
    }
}
