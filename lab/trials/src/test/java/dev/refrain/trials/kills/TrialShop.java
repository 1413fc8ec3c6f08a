package dev.refrain.trials.kills;

import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.RecordAdmin;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Application with Refrain and the work that it protects. */
final class TrialShop implements AutoCloseable {

    /** Lease, short enough for takeovers within the trial. */
    static final Duration LEASE = Duration.ofSeconds(2);

    static final RefrainSettings.MaintenanceSchedule CHORES = new RefrainSettings.MaintenanceSchedule(
            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5));

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final int MOST_WORK_MILLIS = 4;
    private static final int ONE_FAILS_IN = 40;

    /** Patience of callers: some wait, some do not. */
    private enum Patience {
        NONE,
        SOME
    }

    private final JdbcStore store;
    private final Refrain refrain;
    private final ProviderClient provider;
    private final AnswerJournal journal;
    private final Map<Patience, TransactionalOperation<Outcome.Answer, Connection>> transactional =
            new EnumMap<>(Patience.class);
    private final Map<Patience, LeasedOperation<Outcome.Answer>> resume = new EnumMap<>(Patience.class);
    private final Map<Patience, LeasedOperation<Outcome.Answer>> hold = new EnumMap<>(Patience.class);

    TrialShop(JdbcStore store, ProviderClient provider, AnswerJournal journal) {
        this.store = store;
        this.provider = provider;
        this.journal = journal;
        refrain = Refrain.using(store, RefrainSettings.defaults().with(CHORES));
        for (var patience : Patience.values()) {
            transactional.put(
                    patience, operation(TrialMode.TRANSACTIONAL, patience).transactional(store.transactions()));
            resume.put(patience, operation(TrialMode.RESUME, patience).leased(LeaseExpiryPolicy.RESUME));
            hold.put(patience, operation(TrialMode.HOLD, patience).leased(LeaseExpiryPolicy.HOLD));
        }
    }

    private Operation<Outcome.Answer> operation(TrialMode mode, Patience patience) {
        var operation = refrain.operation(mode.operation()).lease(LEASE).requireCorrectStore();
        return patience == Patience.SOME ? operation.waitWhileInFlight(WAIT) : operation;
    }

    /** Failure of the work, on purpose. */
    static final class DeclinedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    OperationResult ask(TrialMode mode, String key, String request) throws Exception {
        var call = OperationCall.scope(KeySchedule.SCOPE).key(key).request(request);
        var patience = ThreadLocalRandom.current().nextBoolean() ? Patience.SOME : Patience.NONE;
        return switch (mode) {
            case TRANSACTIONAL -> transactional.get(patience).runForResult(call, (claim, db) -> pay(claim, db, key));
            case RESUME -> resume.get(patience).runForResult(call, claim -> chargeUnderKey(claim, key));
            case HOLD -> hold.get(patience).runForResult(call, claim -> chargeOnce(claim, key));
        };
    }

    private Outcome.Answer pay(Claim claim, Connection db, String key) throws Exception {
        noteBegin(claim, TrialMode.TRANSACTIONAL, key);
        String effect = "payment-" + UUID.randomUUID();
        insert(db, "payments", key, effect);
        work();
        failNowAndThen();
        insert(db, "postings", key, effect);
        return UniqueAnswers.of(effect);
    }

    private Outcome.Answer chargeUnderKey(Claim claim, String key) throws DeclinedException {
        noteBegin(claim, TrialMode.RESUME, key);
        String charge = provider.charge(key, claim.derivedKey("charge"));
        failNowAndThen();
        return UniqueAnswers.of(charge);
    }

    private Outcome.Answer chargeOnce(Claim claim, String key) {
        noteBegin(claim, TrialMode.HOLD, key);
        return UniqueAnswers.of(provider.chargeWithoutKey(key));
    }

    private void noteBegin(Claim claim, TrialMode mode, String key) {
        var kind = claim.isResumed() ? JournalEntry.Kind.TAKEN_OVER : JournalEntry.Kind.BEGUN;
        journal.write(JournalEntry.now(kind, mode, key, "fence " + claim.fence()));
    }

    private static void insert(Connection db, String table, String key, String effect) throws SQLException {
        try (var insert = db.prepareStatement("INSERT INTO " + table + " (client_key, effect) VALUES (?, ?)")) {
            insert.setString(1, key);
            insert.setString(2, effect);
            insert.executeUpdate();
        }
    }

    private static void work() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(MOST_WORK_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void failNowAndThen() throws DeclinedException {
        if (ThreadLocalRandom.current().nextInt(ONE_FAILS_IN) == 0) {
            throw new DeclinedException();
        }
    }

    RecordAdmin operators() {
        return refrain.admin();
    }

    ProviderClient provider() {
        return provider;
    }

    @Override
    public void close() {
        List<String> left = refrain.close(Duration.ofMinutes(1));
        store.close();
        if (!left.isEmpty()) {
            throw new IllegalStateException("Still running after a graceful close: " + left);
        }
    }
}
