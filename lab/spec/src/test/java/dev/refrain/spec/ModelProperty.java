package dev.refrain.spec;
/** What {@code Promises.tla} states, by how TLC is asked for it and how it says that it does not hold. */
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
        /** True in every state. */
        INVARIANT,
        /** True of every step from a state to the next. */
        STEP,
        /** True of whole behaviours, which then have to be fair. */
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

    /** The line of a configuration that asks for it. */
    String asked() {
        return (kind == Kind.INVARIANT ? "INVARIANT " : "PROPERTY ") + name;
    }

    /** What TLC prints when it does not hold. A violated liveness is not named: it has to be asked for alone. */
    String refuted() {
        return switch (kind) {
            case INVARIANT -> "Error: Invariant " + name + " is violated.";
            case STEP -> "Error: Action property " + name + " is violated.";
            case LIVENESS -> "Error: Temporal properties were violated.";
        };
    }
}
