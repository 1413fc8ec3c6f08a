package dev.refrain.internal.batch;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.batch.RecordReadStrategy.ReadAnswer;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.util.List;
import java.util.Optional;

/** Reads records in batches. */
record RecordReadStrategy(Store store) implements BatchStrategy<ScopedKey, ReadAnswer> {

    /** Result of reading one identity: its record, or the failure. */
    record ReadAnswer(Optional<StoredRecord> record, Optional<StoreException> failure) {

        static ReadAnswer of(Optional<StoredRecord> record) {
            return new ReadAnswer(record, Optional.empty());
        }
    }

    /** Reads records. One that cannot be read fails the whole call, without any effect, so each is then read by itself. */
    @Override
    public List<ReadAnswer> send(List<ScopedKey> questions) {
        try {
            return store.find(questions).stream().map(ReadAnswer::of).toList();
        } catch (RowRejectedException oneOfThem) {
            return questions.stream().map(this::readAlone).toList();
        }
    }

    private ReadAnswer readAlone(ScopedKey question) {
        try {
            return ReadAnswer.of(store.find(List.of(question)).getFirst());
        } catch (RowRejectedException unreadable) {
            return new ReadAnswer(Optional.empty(), Optional.of(unreadable));
        }
    }

    @Override
    public Optional<StoreException> failureOf(ReadAnswer answer) {
        return answer.failure();
    }

    @Override
    public KeyHash lookup(ScopedKey question) {
        return question.hash();
    }

    @Override
    public String scope(ScopedKey question) {
        return question.scope();
    }

    /** Returns true: a read is never refused, because a lost commit is settled by it, but nobody waits for an answer that is too late. */
    @Override
    public boolean skipsLate() {
        return true;
    }

    @Override
    public long bytes(ScopedKey question) {
        return BatchedStoreClient.ROW_OVERHEAD;
    }

    @Override
    public long answerBytes(ReadAnswer answer) {
        return BatchedStoreClient.size(answer.record().flatMap(StoredRecord::outcome));
    }

    @Override
    public boolean hasSameAnswer(ScopedKey leader, ScopedKey follower) {
        return leader.equals(follower);
    }

    @Override
    public ReadAnswer answerForDuplicate(ReadAnswer leaderAnswer) {
        return leaderAnswer;
    }
}
