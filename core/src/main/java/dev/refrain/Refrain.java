package dev.refrain;

import dev.refrain.RefrainSettings.OperationCheck;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Outcome;
import dev.refrain.internal.recover.AttentionLog;
import dev.refrain.internal.recover.Reaper;
import dev.refrain.internal.recover.Sweeper;
import dev.refrain.internal.run.RefrainEngine;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.outbox.OutboxStore;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Makes a retried operation take effect once per key and replays its result until the key expires.
 * {@snippet :
 * var refrain = Refrain.using(store);
 * Payment payment = refrain.operation("payments.create", Payment.class)
 *         .leased(LeaseExpiryPolicy.RESUME)
 *         .run(OperationCall.scope(tenant).key(key).request(request), claim -> provider.charge(request, claim.derivedKey("charge")));
 * }
 *
 * <p>One instance serves a whole application. Thread-safe. Closing it waits for running work; it does not close the store.
 */
public final class Refrain implements AutoCloseable {

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(30);

    private final RefrainEngine engine;
    private final RefrainSettings settings;
    private final RefrainListener listener;
    private final RecordAdmin admin;
    private final CodecTypeCheck types;
    private final List<BackgroundWorker> workers = new CopyOnWriteArrayList<>();

    private Refrain(Store store, RefrainSettings settings) {
        this.settings = settings;
        listener = settings.listener().and(new AttentionLog(settings.loggedKeys()));
        engine = new RefrainEngine(store, settings.forEngine());
        admin = new RecordAdmin(store, engine.client(), engine.waiters(), engine.cache(), listener);
        types = new CodecTypeCheck(settings.codec());
        var schedule = settings.maintenance();
        startWorker(schedule.sweepInterval(), new Sweeper(store, listener, schedule.sweepGracePeriod()));
        startWorker(schedule.reapInterval(), new Reaper(store, listener));
    }

    public static Refrain using(Store store) {
        return using(store, RefrainSettings.defaults());
    }

    /**
     * Creates an instance on a store.
     *
     * @throws IllegalArgumentException if other instances encrypt in this store, and this one would not
     * @throws dev.refrain.store.StoreException if the store cannot be asked about that
     */
    public static Refrain using(Store store, RefrainSettings settings) {
        requireEncryptionWhereOthersEncrypt(store);
        return new Refrain(store, settings);
    }

    private static void requireEncryptionWhereOthersEncrypt(Store store) {
        if (store.traits().encrypted()) {
            return;
        }
        var marks = store.ability(EncryptionMarks.class)
                .map(EncryptionMarks::listEncryptionMarks)
                .orElse(Set.of());
        if (!marks.isEmpty()) {
            throw new IllegalArgumentException(
                    "Cannot use " + store.traits().name()
                            + " without encryption: other instances encrypt in it (keys " + String.join(", ", marks)
                            + "), and could not read what this one writes. Use the same keys: in Spring Boot"
                            + " refrain.encryption.keys and dev.refrain:refrain-store-encryption, in Java EncryptingStore.around(store, ring)."
                            + " A gateway does not encrypt, and needs a database or schema of its own. See docs/encryption.md.");
        }
    }

    /**
     * Refuses transactions of another store, in which key and work would commit separately, or would be stored in the clear.
     *
     * @param user the part that would use them, as the beginning of a sentence
     * @throws IllegalArgumentException if they belong to another store
     */
    public void requireOwnTransactions(StoreTransactionFactory<?> transactions, String user) {
        engine.requireOwn(transactions, user);
    }

    /**
     * Refuses an outbox that stores messages in the clear beside an encrypted store.
     *
     * @param user the part that would use it, as the beginning of a sentence
     * @throws IllegalArgumentException if the store encrypts and the outbox does not
     */
    public void requireOwnOutbox(OutboxStore<?> outbox, String user) {
        if (engine.store().traits().encrypted() && !outbox.encrypted()) {
            throw new IllegalArgumentException(
                    user + ": the store of this Refrain encrypts, but this outbox does not, so messages would"
                            + " be stored in the clear. Use encryptingStore.outbox(jdbcStore.outbox()). See docs/encryption.md.");
        }
    }

    /**
     * Refuses a type whose values the codec could never write or read, before anything depends on them. Asks the codec for an empty value.
     *
     * @param user the part that would store them, as the beginning of a sentence
     * @throws IllegalArgumentException if the codec rejects the type, or a part of it
     */
    public void requireStorable(Type type, String user) {
        types.requireStorable(type, user);
    }

    /**
     * Refuses a type of requests that could not be stored, or not be told from one another.
     *
     * @param user the part that would compare them, as the beginning of a sentence
     * @throws IllegalArgumentException if the codec rejects the type, or a part of it
     */
    public void requireComparable(Type type, String user) {
        types.requireComparable(type, user);
    }

    /** Creates an operation whose work returns values of this type, stored by the codec of the settings. */
    public <T> Operation<T> operation(String name, Class<T> type) {
        return operation(name, ResultType.of(type));
    }

    /** Creates an operation with a generic result type: {@code new ResultType<List<Payment>>() {}}. */
    public <T> Operation<T> operation(String name, ResultType<T> type) {
        return Operation.typed(engine, settings, name, type);
    }

    /** Creates an operation whose answers (status, headers, bytes) are stored unchanged. */
    public Operation<Outcome.Answer> operation(String name) {
        return Operation.raw(engine, settings, name);
    }

    /** Creates an operation of Refrain's own, which every instance has: the application's check is not asked. */
    Operation<Outcome.Answer> uncheckedOperation(String name) {
        return Operation.raw(engine, settings.operationCheck(OperationCheck.none()), name);
    }

    /** Returns the actions for operators: list what needs attention, resolve, release, erase. */
    public RecordAdmin admin() {
        return admin;
    }

    /** Returns the listener to which edges report events; its exceptions are logged and have no effect. */
    public RefrainListener listener() {
        return listener;
    }

    /** Returns the codec of the settings, which everything that is made from this instance uses. */
    public ValueCodec codec() {
        return settings.codec();
    }

    /** Returns time and threads for components beside operations. */
    public ExecutionEnvironment environment() {
        return settings.environment();
    }

    /** Runs a task periodically, on a thread of its own, until it or this instance is closed. */
    public BackgroundWorker schedule(Duration pause, BackgroundTask chore) {
        return startWorker(pause, chore);
    }

    private BackgroundWorker startWorker(Duration pause, BackgroundTask task) {
        var worker = new BackgroundWorker(task, pause, environment(), listener());
        workers.add(worker);
        worker.start();
        return worker;
    }

    /** Rejects new work and gives running work half a minute to finish; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(TIME_TO_FINISH);
    }

    /**
     * Rejects new work, waits for running work, then interrupts it, so that it is completed or released.
     *
     * @return the operations whose work did not end; their claims are left to their leases
     */
    public List<String> close(Duration toFinish) {
        workers.forEach(BackgroundWorker::close);
        return engine.close(toFinish);
    }
}
