package dev.refrain.flow;
/** What the application's own code threw at a point, told apart from all else that ends a run. */
final class PhaseFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Exception original;
    private final Exception toPropagate;
    private final boolean mayHaveHappened;
    private final transient RecoveryPoint place;

    /**
     * @param original as it was thrown
     * @param meaning what ends the run because of it, unless something else follows
     * @param mayHaveHappened whether another system may have acted
     * @param place where the flow stands since then
     */
    PhaseFailedException(Exception original, Exception meaning, boolean mayHaveHappened, RecoveryPoint place) {
        super(original);
        this.original = original;
        this.toPropagate = meaning;
        this.mayHaveHappened = mayHaveHappened;
        this.place = place;
    }

    Exception original() {
        return original;
    }

    Exception toPropagate() {
        return toPropagate;
    }

    boolean mayHaveHappened() {
        return mayHaveHappened;
    }

    RecoveryPoint place() {
        return place;
    }
}
