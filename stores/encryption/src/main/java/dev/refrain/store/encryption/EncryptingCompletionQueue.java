package dev.refrain.store.encryption;

import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.util.List;

/** The unfinished work of the store inside, with the reasons of its attempts decrypted. */
record EncryptingCompletionQueue(CompletionQueue plain, FailureReasonCipher reasons) implements CompletionQueue {

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return plain.pollAbandoned(order);
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        plain.uncountAttempt(unattempted);
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return plain.listUnfinished(namespace, longerThan, limit).stream()
                .map(reasons::decrypt)
                .toList();
    }
}
