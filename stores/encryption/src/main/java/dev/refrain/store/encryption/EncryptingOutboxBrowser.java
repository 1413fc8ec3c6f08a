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
record EncryptingOutboxBrowser(OutboxBrowser plain, MessageCipher cipher) implements OutboxBrowser {

    @Override
    public List<TopicSummary> topics(int limit) {
        return plain.topics(limit);
    }

    @Override
    public OutboxPage<WaitingMessage> searchWaiting(WaitingMessageSearch search) {
        return plain.searchWaiting(search);
    }

    @Override
    public OutboxPage<DeadLetterView> searchDeadLetters(DeadLetterSearch search) {
        return plain.searchDeadLetters(search);
    }

    @Override
    public Optional<DeadLetterView> findDeadLetter(UUID id) {
        return plain.findDeadLetter(id);
    }

    @Override
    public Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why) {
        return plain.revealDeadLetter(id, who, why).map(letter -> EncryptingOutboxStore.decrypt(cipher, letter));
    }
}
