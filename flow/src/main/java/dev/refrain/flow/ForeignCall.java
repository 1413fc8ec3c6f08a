package dev.refrain.flow;
/**
 * A call of another system that is about to be sent: the state of the flow, and the derived key to send along.
 *
 * @param <R> the flow's request
 */
public final class ForeignCall<R> extends PhaseContext<R> {

    private final String key;
    private final boolean maybeSentBefore;

    ForeignCall(PhaseContext<R> context, String key, boolean maybeSentBefore) {
        super(context);
        this.key = key;
        this.maybeSentBefore = maybeSentBefore;
    }

    /** Returns the idempotency key to send: the same for every attempt of this call, another one for every other record. */
    public String key() {
        return key;
    }

    /** Returns whether this call may have been sent before. */
    public boolean maybeSentBefore() {
        return maybeSentBefore;
    }
}
