package dev.refrain.flow;
/** Carries an exception that the application's code threw at a point, distinct from failures of the store or of Refrain. */
final class PhaseFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Exception original;
    private final Exception toPropagate;
    private final boolean mayHaveHappened;
    private final transient FlowRecoveryPoint place;

    /**
     * @param original the exception as it was thrown
     * @param toPropagate the exception that ends the run, unless a failure policy applies
     * @param mayHaveHappened whether another system may have acted
     * @param place the recovery point of the flow after the failure
     */
    PhaseFailedException(Exception original, Exception toPropagate, boolean mayHaveHappened, FlowRecoveryPoint place) {
        super(original);
        this.original = original;
        this.toPropagate = toPropagate;
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

    FlowRecoveryPoint place() {
        return place;
    }
}
