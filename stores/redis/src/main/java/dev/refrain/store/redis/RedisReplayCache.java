package dev.refrain.store.redis;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.redis.ReplayConnection.Lane;
import dev.refrain.store.redis.ReplayEntryCodec.EntryTerms;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Completed records in Redis, which may forget, be away or be wrong at any time: then there is no answer here, and never an error.
 *
 * <p>An entry is replayed only as long as both Redis, by its time to live, and the clock of the reader, by the moment that is written in the entry, say
 * that less than half of what was left of its record has passed, and the maximum age at the most. So an answer that is too old takes two clocks that are wrong by
 * that much.
 *
 * <p>Every entry carries the epoch that its writer had read before it asked the database. An erasure begins a new epoch, with which all older
 * entries are void, those that are still on their way included. Thread-safe.
 */
final class RedisReplayCache implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RedisReplayCache.class.getName());
    private static final int MOST_OUTCOME_BYTES = 64 << 10;
    private static final int MOST_BYTES_UNDER_WAY = 1 << 20;
    private static final int LIVES_LEFT = 2;
    private static final Duration FORGET_WITHIN = Duration.ofSeconds(2);

    private final ReplayCacheSettings settings;
    private final InstantSource clock;
    private final ReplayEntryCodec codec;
    private final ReplayConnection connection;
    private final SecureRandom random = new SecureRandom();
    private final byte[] epochKey;
    private volatile boolean forgetting;

    RedisReplayCache(ReplayCacheSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.codec = new ReplayEntryCodec(settings.prefix(), settings.secret());
        this.epochKey = RedisKeys.utf8(settings.prefix() + ":replay-epoch");
        this.connection = new ReplayConnection(settings.uris(), settings.timeout(), this::prepare);
    }

    /** One record to look for. */
    record Question(ScopedKey identity, KeyHash lookup) {}

    /**
     * What was found.
     *
     * @param epoch the epoch before the database is asked for the rest; empty if nothing is to be promoted
     * @param askedAt the time before that
     * @param records one for each question, in their order
     */
    record Sight(Optional<Payload> epoch, Instant askedAt, List<Optional<StoredRecord>> records) {

        boolean isEmpty() {
            return records.stream().allMatch(Optional::isEmpty);
        }
    }

    /** Looks for completed records; waits for the timeout at the most. */
    Sight find(List<Question> questions) {
        var now = clock.instant();
        var lane = connection.current();
        if (lane.isEmpty() || questions.isEmpty()) {
            return nothing(questions, now);
        }
        if (forgetting) {
            connection.discard(lane.get());
            return nothing(questions, now);
        }
        var values = read(
                lane.get(),
                Stream.concat(Stream.of(epochKey), questions.stream().map(question -> keyOf(question.lookup())))
                        .toList());
        if (values.isEmpty()) {
            return nothing(questions, now);
        }
        var epoch = values.getFirst().map(Payload::of);
        if (epoch.isEmpty()) {
            lane.get().sendLater(beginEpoch(true), ReplayEntryCodec.EPOCH_BYTES, MOST_BYTES_UNDER_WAY);
            return nothing(questions, now);
        }
        var records = new ArrayList<Optional<StoredRecord>>();
        for (int i = 0; i < questions.size(); i++) {
            var question = questions.get(i);
            records.add(values.get(i + 1)
                    .flatMap(entry -> codec.decode(entry, question.identity(), question.lookup(), epoch.get(), now)));
        }
        return new Sight(epoch, now, records);
    }

    private static Sight nothing(List<Question> questions, Instant now) {
        return new Sight(Optional.empty(), now, Collections.nCopies(questions.size(), Optional.empty()));
    }

    /** Reads values; empty if they did not all come in time, and one is empty if it is missing or cannot be read. */
    private List<Optional<byte[]>> read(Lane lane, List<byte[]> keys) {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        var sent = keys.stream()
                .map(key -> new AsyncCommand<>(new Command<>(
                        CommandType.GET,
                        new ValueOutput<>(ByteArrayCodec.INSTANCE),
                        ReplayConnection.arguments().addKey(key))))
                .toList();
        lane.send(List.copyOf(sent));
        var values = new ArrayList<Optional<byte[]>>();
        for (var command : sent) {
            try {
                values.add(Optional.ofNullable(
                        command.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)));
            } catch (ExecutionException e) {
                values.add(Optional.empty());
            } catch (TimeoutException | CancellationException e) {
                // Too slow, or discarded meanwhile by another caller for whom it was.
                connection.discard(lane);
                return List.of();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return List.of();
            }
        }
        return values;
    }

    /** Stores a record that the database returned, if it is completed; nobody waits for that, and it may be lost. */
    void promote(Sight before, ScopedKey identity, StoredRecord record) {
        var lane = connection.current();
        if (lane.isEmpty() || before.epoch().isEmpty() || !isPromotable(record)) {
            return;
        }
        var life = record.remainingLife()
                .map(left -> left.dividedBy(LIVES_LEFT))
                .filter(half -> half.compareTo(settings.maxAge()) < 0)
                .orElse(settings.maxAge());
        if (life.compareTo(ReplayCacheSettings.LEAST_AGE) < 0) {
            return;
        }
        byte[] entry;
        try {
            entry = codec.encode(identity, record, new EntryTerms(before.epoch().get(), before.askedAt(), life));
        } catch (RuntimeException unreadable) {
            // An outcome that cannot be read here, or a name that is too long: the database answers it.
            return;
        }
        lane.get()
                .sendLater(
                        set(ReplayConnection.arguments()
                                .addKey(keyOf(record.lookup()))
                                .addValue(entry)
                                .add("PX")
                                .add(life.toMillis())),
                        entry.length,
                        MOST_BYTES_UNDER_WAY);
    }

    /** An erased record has no fingerprint, and nothing to compare a request with. */
    private static boolean isPromotable(StoredRecord record) {
        return record.state() == RecordState.COMPLETED
                && record.fingerprint().isPresent()
                && record.outcome().map(Payload::size).orElse(0) <= MOST_OUTCOME_BYTES;
    }

    /**
     * Voids all entries. If that does not reach the server, this process uses none before it did; others do so for the maximum age at the most.
     */
    void forgetAll() {
        try {
            var lane = connection.current();
            if (lane.isPresent()) {
                beginEpochNow(lane.get(), false);
                return;
            }
        } catch (RuntimeException notReached) {
            // Said below.
        }
        forgetting = true;
        LOG.log(
                System.Logger.Level.WARNING,
                "The erasure did not reach the Redis that replays outcomes: other instances may replay what was erased for up to "
                        + settings.maxAge().toMinutes() + " min.");
    }

    /** Makes up for an erasure, and shows that this server takes changes. */
    private void prepare(Lane lane) {
        boolean due = forgetting;
        if (due) {
            // Before the new epoch: an erasure that fails from here on is not overlooked.
            forgetting = false;
        }
        try {
            beginEpochNow(lane, !due);
        } catch (RedisException e) {
            if (due) {
                forgetting = true;
            }
            throw e;
        }
    }

    /** @throws RedisException if the server did not say that it did so */
    private void beginEpochNow(Lane lane, boolean onlyIfThereIsNone) {
        var command = beginEpoch(onlyIfThereIsNone);
        lane.send(List.of(command));
        try {
            var unused = command.get(FORGET_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            throw new RedisException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisException(e);
        }
    }

    private AsyncCommand<byte[], byte[], String> beginEpoch(boolean onlyIfThereIsNone) {
        var epoch = new byte[ReplayEntryCodec.EPOCH_BYTES];
        random.nextBytes(epoch);
        var arguments = ReplayConnection.arguments().addKey(epochKey).addValue(epoch);
        return set(onlyIfThereIsNone ? arguments.add("NX") : arguments);
    }

    private static AsyncCommand<byte[], byte[], String> set(CommandArgs<byte[], byte[]> arguments) {
        return new AsyncCommand<>(
                new Command<>(CommandType.SET, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments));
    }

    private byte[] keyOf(KeyHash lookup) {
        return RedisKeys.utf8(settings.prefix() + ":replay:" + RedisKeys.member(lookup));
    }

    /** Returns true while a server answers. */
    boolean isConnected() {
        return connection.current().isPresent();
    }

    @Override
    public void close() {
        connection.close();
    }
}
