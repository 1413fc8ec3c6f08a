package dev.refrain.store.encryption;

import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxPage;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The view of messages of the store inside; contents are decrypted when they are revealed, and sizes are those of what is stored. */
record EncryptingOutboxBrowser(OutboxBrowser plain, MessageCipher cipher, FailureReasonCipher reasons)
        implements OutboxBrowser {

    @Override
    public List<TopicSummary> topics(int limit) {
        return plain.topics(limit);
    }

    @Override
    public OutboxPage<WaitingMessage> searchWaiting(WaitingMessageSearch search) {
        var page = plain.searchWaiting(search);
        return new OutboxPage<>(page.rows().stream().map(this::decrypt).toList(), page.next());
    }

    @Override
    public OutboxPage<DeadLetterView> searchDeadLetters(DeadLetterSearch search) {
        var page = plain.searchDeadLetters(search);
        return new OutboxPage<>(page.rows().stream().map(this::decrypt).toList(), page.next());
    }

    @Override
    public Optional<DeadLetterView> findDeadLetter(UUID id) {
        return plain.findDeadLetter(id).map(this::decrypt);
    }

    @Override
    public Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why) {
        return plain.revealDeadLetter(id, who, why)
                .map(letter -> EncryptingOutboxStore.decrypt(cipher, reasons, letter));
    }

    private WaitingMessage decrypt(WaitingMessage message) {
        return new WaitingMessage(
                message.sequence(),
                message.id(),
                message.topic(),
                message.orderKey(),
                message.attempts(),
                message.reason().map(this::decrypt),
                message.bytes(),
                message.times());
    }

    private DeadLetterView decrypt(DeadLetterView letter) {
        return new DeadLetterView(
                letter.id(),
                letter.topic(),
                letter.cause(),
                decrypt(letter.reason()),
                letter.attempts(),
                letter.bytes(),
                letter.staged(),
                letter.since(),
                letter.seen());
    }

    private String decrypt(String reason) {
        return reasons.decrypt(reason, FailureReasonCipher.OF_MESSAGES);
    }
}
