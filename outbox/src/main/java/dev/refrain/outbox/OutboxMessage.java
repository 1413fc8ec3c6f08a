package dev.refrain.outbox;

import java.util.Objects;
import java.util.Optional;

/**
 * Something to be delivered.
 *
 * @param topic says where to; 1 to 100 letters, digits, '_', '.' or '-'
 * @param body bytes, text, or a value for the codec
 * @param orderKey messages of the topic with the same one arrive in the order of staging; empty for no order
 */
public record OutboxMessage(String topic, Object body, Optional<String> orderKey) {

    public OutboxMessage {
        TopicSettings.requireName(topic);
        Objects.requireNonNull(body, "body: use an empty array if there is nothing to say");
    }

    public static OutboxMessage of(String topic, Object body) {
        return new OutboxMessage(topic, body, Optional.empty());
    }

    /**
     * Delivered after those of the same topic and key that were staged before it, each of which is delivered or dead by then. That is the
     * order of transactions that follow one another; of two that overlap neither is the earlier, unless both hold the same lock while they
     * stage.
     */
    public OutboxMessage orderedBy(String key) {
        return new OutboxMessage(topic, body, Optional.of(key));
    }

    /** Delivered after all of the topic that were staged like this before it. */
    public OutboxMessage orderedWithinTopic() {
        return orderedBy("");
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return "Message[" + topic + ", …]";
    }
}
