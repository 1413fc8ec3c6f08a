package dev.refrain.benchmarks;

import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The same claims and completions without a batcher in front of the store: each is a commit of its own. */
final class SqliteOneByOneSide implements Side {

    private final JdbcStore store;

    SqliteOneByOneSide(Path file) {
        store = JdbcStore.sqlite(file);
    }

    @Override
    public String name() {
        return "one commit each";
    }

    @Override
    public void callOnce() {
        var outcome = OutcomeFormat.encode(Traffic.answer());
        if (store.claim(List.of(Traffic.claim())).getFirst() instanceof ClaimAnswer.Acquired acquired) {
            var complete = new Write.Complete(acquired.record().claim(), Optional.of(outcome), Optional.empty());
            if (store.write(List.of(complete)).getFirst() instanceof WriteAnswer.Written) {
                return;
            }
        }
        throw new BenchException("A key that nobody else uses could not be claimed and completed.");
    }

    @Override
    public void close() {
        store.close();
    }
}
