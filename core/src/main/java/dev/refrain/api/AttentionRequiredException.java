package dev.refrain.api;
/** Signals that it is unknown whether the operation took effect. It will not run again until an operator resolves it. */
public final class AttentionRequiredException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final transient ClaimRef claim;

    public AttentionRequiredException(String operation, ClaimRef claim) {
        super(operation + ": its outcome under this key is unknown (record " + claim.id()
                + "). An operator must resolve or release it.");
        this.claim = claim;
    }

    /** Returns the claim to resolve. */
    public ClaimRef claim() {
        return claim;
    }
}
