package dev.refrain.api;
/** Whether the operation took effect is unknown. It is not run again until someone resolves it. */
public final class AttentionRequiredException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final transient ClaimRef claim;

    public AttentionRequiredException(String operation, ClaimRef claim) {
        super(operation + ": its outcome under this key is unknown (record " + claim.id()
                + "); an operator must resolve or release it.");
        this.claim = claim;
    }

    /** What to name when resolving it. */
    public ClaimRef claim() {
        return claim;
    }
}
