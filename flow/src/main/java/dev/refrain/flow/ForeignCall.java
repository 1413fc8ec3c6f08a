package dev.refrain.flow;

/** A call of another system, as it is to be sent: where the flow stands, and the key to send. */
public final class ForeignCall<R> extends PhaseContext<R> {

    private final String key;
    private final boolean maybeSentBefore;

    ForeignCall(PhaseContext<R> at, String key, boolean again) {
        super(at);
        this.key = key;
        this.maybeSentBefore = again;
    }

    /** The same for every attempt, new for another record. */
    public String key() {
        return key;
    }

    /** Whether it may have been sent before. */
    public boolean maybeSentBefore() {
        return maybeSentBefore;
    }
}
