package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.RecordId;
import java.util.Optional;

/** A call of another system, as it is to be sent: where the flow stands, and the key to send. */
public final class ForeignCall<R> extends PhaseContext<R> {

    private final String key;
    private final boolean maybeSentBefore;

    ForeignCall(PhaseContext<R> at, String key, boolean again) {
        super(at);
        this.key = key;
        this.maybeSentBefore = again;
    }

    /** A delivery of the outbox, seen as a call: its row stands for the record, its topic for the point. */
    public static <R> ForeignCall<R> forDelivery(
            String topic, RecordId row, R message, ValueCodec codec, boolean again) {
        String key = row.keyFor(topic);
        var asked = FlowRequest.of("", key, message);
        return new ForeignCall<>(new PhaseContext<>(topic, row, asked, codec, Optional.empty()), key, again);
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
