package dev.refrain.flow;

/** A call of another system, as it is to be sent: where the flow stands, and the key to send. */
public final class Outgoing<R> extends At<R> {

    private final String key;
    private final boolean again;

    Outgoing(At<R> at, String key, boolean again) {
        super(at);
        this.key = key;
        this.again = again;
    }

    /** The same for every attempt, new for another record. */
    public String key() {
        return key;
    }

    /** Whether it may have been sent before. */
    public boolean again() {
        return again;
    }
}
