package dev.refrain.outbox;

import dev.refrain.ValueCodec;
import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.LeasedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A message as it is delivered. */
public final class MessageDelivery {

    private final LeasedMessage taken;
    private final ValueCodec codec;

    MessageDelivery(LeasedMessage taken, ValueCodec codec) {
        this.taken = taken;
        this.codec = codec;
    }

    public String topic() {
        return taken.topic();
    }

    /** Of the message: the same for every attempt, and after it was a dead letter. */
    public RecordId id() {
        return new RecordId(taken.id());
    }

    /** To be sent along, so that the other side can tell a second attempt from a second message. The same for every attempt. */
    public String key() {
        return id().keyFor(taken.topic());
    }

    /** The bytes that were staged, not a copy; not to be changed. */
    public byte[] body() {
        return taken.payload().bytes();
    }

    public String bodyText() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    /** The value that was staged. */
    public <T> T bodyAs(Class<T> type) {
        return type.cast(codec.decode(body(), type));
    }

    public Optional<String> orderKey() {
        return taken.orderKey();
    }

    /** Whether it may have arrived before. */
    public boolean maybeDeliveredBefore() {
        return taken.mayHaveArrived();
    }

    /** Counted from one. */
    public int attempt() {
        return taken.attempts();
    }

    /** Since it was staged. */
    public Duration age() {
        return taken.age();
    }

    ValueCodec codec() {
        return codec;
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return "Delivery[" + topic() + ", " + id() + ", attempt " + attempt() + "]";
    }
}
