package dev.refrain.trials.kills;

import dev.refrain.Call;
import dev.refrain.Leased;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.Transactional;
import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.recover.Operators;
import dev.refrain.run.RunResult;
import dev.refrain.store.TakeOver;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Refrain as an application would set it up, and the work it protects. */
final class Shop implements AutoCloseable {

    /** Short, so that takeovers happen within the trial. */
    static final Duration LEASE = Duration.ofSeconds(2);

    static final Settings.Chores CHORES =
            new Settings.Chores(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5));

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final int MOST_WORK_MILLIS = 4;
    private static final int ONE_FAILS_IN = 40;

    /** What is asked for by those who wait, and by those who do not. */
    private enum Patience {
        NONE,
        SOME
    }

    private final JdbcStore store;
    private final Refrain refrain;
    private final ProviderClient provider;
    private final Journal journal;
    private final Map<Patience, Transactional<Outcome.Answer, Connection>> transactional =
            new EnumMap<>(Patience.class);
    private final Map<Patience, Leased<Outcome.Answer>> resume = new EnumMap<>(Patience.class);
    private final Map<Patience, Leased<Outcome.Answer>> hold = new EnumMap<>(Patience.class);

    Shop(JdbcStore store, ProviderClient provider, Journal journal) {
        this.store = store;
        this.provider = provider;
        this.journal = journal;
        refrain = Refrain.using(store, Settings.defaults().with(CHORES));
        for (var patience : Patience.values()) {
            transactional.put(patience, operation(Mode.TRANSACTIONAL, patience).transactional(store.transactions()));
            resume.put(patience, operation(Mode.RESUME, patience).leased(TakeOver.RESUME));
            hold.put(patience, operation(Mode.HOLD, patience).leased(TakeOver.HOLD));
        }
    }

    private Operation<Outcome.Answer> operation(Mode mode, Patience patience) {
        var operation = refrain.operation(mode.operation()).lease(LEASE).requireCorrectStore();
        return patience == Patience.SOME ? operation.waitForOutcome(WAIT) : operation;
    }

    /** Thrown by the work on purpose. */
    static final class DeclinedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    RunResult ask(Mode mode, String key, String request) throws Exception {
        var call = Call.of(Plan.SCOPE, key, request);
        var patience = ThreadLocalRandom.current().nextBoolean() ? Patience.SOME : Patience.NONE;
        return switch (mode) {
            case TRANSACTIONAL -> transactional.get(patience).runForResult(call, (claim, db) -> pay(claim, db, key));
            case RESUME -> resume.get(patience).runForResult(call, claim -> chargeUnderKey(claim, key));
            case HOLD -> hold.get(patience).runForResult(call, claim -> chargeOnce(claim, key));
        };
    }

    private Outcome.Answer pay(Claim claim, Connection db, String key) throws Exception {
        noteBegin(claim, Mode.TRANSACTIONAL, key);
        String effect = "payment-" + UUID.randomUUID();
        insert(db, "payments", key, effect);
        work();
        failNowAndThen();
        insert(db, "postings", key, effect);
        return Receipt.of(effect);
    }

    private Outcome.Answer chargeUnderKey(Claim claim, String key) throws DeclinedException {
        noteBegin(claim, Mode.RESUME, key);
        String charge = provider.charge(key, claim.derivedKey("charge"));
        failNowAndThen();
        return Receipt.of(charge);
    }

    private Outcome.Answer chargeOnce(Claim claim, String key) {
        noteBegin(claim, Mode.HOLD, key);
        return Receipt.of(provider.chargeWithoutKey(key));
    }

    private void noteBegin(Claim claim, Mode mode, String key) {
        var kind = claim.isResumed() ? Entry.Kind.TAKEN_OVER : Entry.Kind.BEGUN;
        journal.write(Entry.now(kind, mode, key, "fence " + claim.fence()));
    }

    private static void insert(Connection db, String table, String key, String effect) throws SQLException {
        try (var insert = db.prepareStatement("INSERT INTO " + table + " (key, effect) VALUES (?, ?)")) {
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

    Operators operators() {
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
