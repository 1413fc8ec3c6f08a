package dev.refrain.api;

/** Says why a person resolved a record as failed. Stored as its outcome, never thrown. */
public final class ResolvedAsFailedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    public ResolvedAsFailedException(String why) {
        super(why);
    }
}
