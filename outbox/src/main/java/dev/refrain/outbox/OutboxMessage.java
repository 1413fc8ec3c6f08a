package dev.refrain.outbox;

import dev.refrain.store.outbox.MessageLabels;
import java.util.Objects;
import java.util.Optional;

/**
 * Message to stage: a topic, a body and, where order matters, an order key.
 *
 * @param topic the topic, whose relay knows the target; 1 to 100 letters, digits, '_', '.' or '-'
 * @param body bytes, text, or a value for the codec
 * @param orderKey messages of the topic with the same order key are delivered in the order of staging; empty for no order
 * @param labels whose message it is, for erasure, and by what its sender finds it
 */
public record OutboxMessage(String topic, Object body, Optional<String> orderKey, MessageLabels labels) {

    public OutboxMessage {
        TopicSettings.requireName(topic);
        Objects.requireNonNull(body, "body: use an empty array for a message without body");
    }

    /** Returns a message without order. */
    public static OutboxMessage of(String topic, Object body) {
        return new OutboxMessage(topic, body, Optional.empty(), MessageLabels.NONE);
    }

    /**
     * Returns the same message, to be delivered after earlier messages of its topic with the same key. Transactions that follow one another
     * are ordered; of two that overlap neither is the earlier one, unless both hold the same lock while they stage.
     */
    public OutboxMessage orderedBy(String key) {
        return new OutboxMessage(topic, body, Optional.of(key), labels);
    }

    /** Returns the same message, to be delivered after all earlier messages of its topic that are ordered like this. */
    public OutboxMessage orderedWithinTopic() {
        return orderedBy("");
    }

    /** Returns the same message as one of this scope, with which it is erased. */
    public OutboxMessage ofScope(String scope) {
        return labelled(MessageLabels.ofScope(scope));
    }

    /** Returns the same message as one about a person of this scope, with whom it is erased. */
    public OutboxMessage about(String scope, String person) {
        return labelled(MessageLabels.ofScope(scope).withSubject(person));
    }

    /** Returns the same message with other labels. */
    public OutboxMessage labelled(MessageLabels other) {
        return new OutboxMessage(topic, body, orderKey, other);
    }

    /** Shows nothing of the body: safe for logs. */
    @Override
    public String toString() {
        return "OutboxMessage[" + topic + ", …]";
    }
}
