package dev.refrain.outbox;

import dev.refrain.ValueCodec;
import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.LeasedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Delivery of a message to a handler or a target. */
public final class MessageDelivery {

    private final LeasedMessage taken;
    private final ValueCodec codec;

    MessageDelivery(LeasedMessage taken, ValueCodec codec) {
        this.taken = taken;
        this.codec = codec;
    }

    /** Returns the topic of the message. */
    public String topic() {
        return taken.topic();
    }

    /** Returns the id of the message, the same for every attempt, also after it was a dead letter. */
    public RecordId id() {
        return new RecordId(taken.id());
    }

    /** Returns the idempotency key to send along, the same for every attempt. */
    public String key() {
        return id().keyFor(taken.topic());
    }

    /** Returns the staged bytes, not a copy; do not change them. */
    public byte[] body() {
        return taken.payload().bytes();
    }

    /** Returns the body as UTF-8 text. */
    public String bodyText() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    /** Returns the staged value, decoded by the codec. */
    public <T> T bodyAs(Class<T> type) {
        return type.cast(codec.decode(body(), type));
    }

    /** Returns the key by which the message is ordered, if it is. */
    public Optional<String> orderKey() {
        return taken.orderKey();
    }

    /** Returns the person that the message is about, if it was staged with one. */
    public Optional<String> subject() {
        return taken.labels().subject();
    }

    /** Returns whether the message may have arrived before. */
    public boolean maybeDeliveredBefore() {
        return taken.mayHaveArrived();
    }

    /** Returns the number of this attempt, from 1. */
    public int attempt() {
        return taken.attempts();
    }

    /** Returns the time since the message was staged. */
    public Duration age() {
        return taken.age();
    }

    ValueCodec codec() {
        return codec;
    }

    /** Shows nothing of the body: safe for logs. */
    @Override
    public String toString() {
        return "MessageDelivery[" + topic() + ", " + id() + ", attempt " + attempt() + "]";
    }
}
