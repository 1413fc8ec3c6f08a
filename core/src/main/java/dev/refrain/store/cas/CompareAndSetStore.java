package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.cas.RecordAccess.Change;
import dev.refrain.store.cas.RecordAccess.SeenRow;
import dev.refrain.store.cas.RecordDecisions.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Store on a {@link RecordTable}: a database without a clock of its own that reads consistently and writes one row by compare and set. Its traits
 * say {@link dev.refrain.store.StoreClock#NONE}.
 *
 * <p>A claim is one conditional write, which claims an absent key or answers with what is there; a holder's write is one too, as long as this handle
 * remembers the claim. Every write of a record names the revision that it replaces. Every write makes a new one, by which a writer whose
 * reply was lost recognises its own.
 *
 * <p>A lease has ended once this handle saw the same (id, fence, beat) for the whole lease on its own monotonic clock. A retention ends by the
 * clock of the instance, which may differ from those of others by the allowance. Thread-safe.
 */
public abstract class CompareAndSetStore
        implements Store, RecordEraser, AuditTrailReader, RecordCounter, KeptRequestReader, EncryptionMarks {

    private static final int TOLD = 1_000;

    private final StoreTraits traits;
    private final RecordTable table;
    private final RecordAccess access;
    private final RecordLists lists;
    private final Set<ClaimOrigin> told = ConcurrentHashMap.newKeySet();

    /**
     * Creates the store.
     *
     * @param allowance by how much the clocks of instances may differ
     * @param wall the clock of this instance
     * @param nanos its monotonic clock, as {@link System#nanoTime}
     */
    protected CompareAndSetStore(
            StoreTraits traits, RecordTable table, Duration allowance, InstantSource wall, LongSupplier nanos) {
        this.traits = traits;
        this.table = table;
        access = new RecordAccess(table, RecordClock.ofInstances(allowance), wall, nanos);
        lists = new RecordLists(table, access, this::steps);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        requests.stream().map(ClaimRequest::origin).distinct().forEach(this::addSteps);
        return access.applyAll(requests.stream().map(this::claimChange).toList());
    }

    /** Takes the key for absent: if it is not, the write answers with what is there. */
    private Change<ClaimResponse> claimChange(ClaimRequest request) {
        return new Change<>(request.lookup(), null) {
            @Override
            Decision<ClaimResponse> decide(@Nullable SeenRow current) {
                var now = access.now();
                return RecordDecisions.claim(
                        access.read(lookup, current, now),
                        request,
                        access.clock(),
                        CompareAndSetStore.this::steps,
                        now);
            }

            @Override
            ClaimResponse failed(StoreException failure) {
                return new ClaimResponse.Failed(failure);
            }
        };
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        var answers = new ArrayList<@Nullable RecordWriteResponse>();
        var changes = new ArrayList<Change<RecordWriteResponse>>();
        var known = knownRows(writes);
        for (int i = 0; i < writes.size(); i++) {
            var failure = known.get(i).failure;
            if (failure == null) {
                changes.add(writeChange(writes.get(i), known.get(i).row));
            }
            answers.add(failure == null ? null : new RecordWriteResponse.Failed(failure));
        }
        var applied = access.applyAll(changes).iterator();
        answers.replaceAll(answer -> answer == null ? applied.next() : answer);
        return answers.stream().map(Objects::requireNonNull).toList();
    }

    private record KnownRow(@Nullable SeenRow row, @Nullable StoreException failure) {}

    /** Returns what this handle remembers of its own claims, and reads the rest. */
    private List<KnownRow> knownRows(List<? extends RecordWrite> writes) {
        var known = new ArrayList<@Nullable KnownRow>();
        var unknown = new ArrayList<KeyHash>();
        for (var write : writes) {
            var claim = write.claim();
            var own = access.ownClaim(claim.lookup());
            boolean isOwn = own != null && RecordEncoding.isOf(own.values(), claim.id(), claim.fence());
            known.add(isOwn ? new KnownRow(own, null) : null);
            if (!isOwn) {
                unknown.add(claim.lookup());
            }
        }
        var read = access.readEach(unknown).iterator();
        var all = new ArrayList<KnownRow>();
        for (var row : known) {
            if (row != null) {
                all.add(row);
            } else {
                var answer = read.next();
                all.add(new KnownRow(answer.row(), answer.failure()));
            }
        }
        return all;
    }

    private Change<RecordWriteResponse> writeChange(RecordWrite write, @Nullable SeenRow known) {
        return new Change<>(write.claim().lookup(), known) {
            @Override
            Decision<RecordWriteResponse> decide(@Nullable SeenRow current) {
                if (isOfALaterVersion(current, write.claim())) {
                    return new Decision<>(new RecordWriteResponse.Refused(Optional.empty()), Optional.empty());
                }
                var now = access.now();
                return RecordDecisions.write(access.read(lookup, current, now), write, now);
            }

            @Override
            RecordWriteResponse failed(StoreException failure) {
                return new RecordWriteResponse.Failed(failure);
            }
        };
    }

    /** Of what this version cannot read, it still knows that the claim is another. */
    private static boolean isOfALaterVersion(@Nullable SeenRow row, dev.refrain.api.ClaimRef claim) {
        return row != null
                && !RecordEncoding.isReadable(row.values())
                && !RecordEncoding.isOf(row.values(), claim.id(), claim.fence());
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        var lookups = identities.stream().map(ScopedKey::hash).toList();
        var read = access.readEach(lookups);
        var failures = read.stream()
                .flatMap(row -> Optional.ofNullable(row.failure()).stream())
                .toList();
        if (!failures.isEmpty()) {
            throw failures.size() == read.size() || !failures.getFirst().isTransient()
                    ? failures.getFirst()
                    : RowRejectedException.locked(
                            failures.size() + " of " + read.size() + " records could not be read now: "
                                    + failures.getFirst().getMessage(),
                            failures.getFirst());
        }
        var found = new ArrayList<Optional<StoredRecord>>();
        var now = access.now();
        for (int i = 0; i < identities.size(); i++) {
            found.add(present(identities.get(i), lookups.get(i), read.get(i).row(), now)
                    .map(record -> record.seen(now)));
        }
        return found;
    }

    private Optional<MutableRecord> present(ScopedKey identity, KeyHash lookup, @Nullable SeenRow row, Instant now) {
        var record = Optional.ofNullable(access.read(lookup, row, now)).filter(r -> !r.expired(now));
        if (record.filter(r -> r.isOfAnother(identity)).isPresent()) {
            throw RecordDecisions.collision(identity);
        }
        return record;
    }

    private Optional<MutableRecord> findOne(ScopedKey identity, Instant now) {
        var lookup = identity.hash();
        var row = access.readAll(List.of(lookup)).getFirst();
        return present(identity, lookup, row.orElse(null), now);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        var now = access.now();
        return findOne(identity, now)
                .filter(record -> record.identity.isPresent())
                .map(record -> record.explain(this::steps, now));
    }

    @Override
    public Optional<Payload> readKeptRequest(ScopedKey identity) {
        return findOne(identity, access.now()).flatMap(MutableRecord::keptRequest);
    }

    /** A hint: a claim must not fail because of it. */
    @Override
    public void addSteps(ClaimOrigin origin) {
        var steps = ClaimOrigin.of(origin.operation()).withSteps(origin.steps());
        if (steps.steps().isEmpty() || told.contains(steps)) {
            return;
        }
        try {
            table.addSteps(steps);
            if (told.size() < TOLD) {
                told.add(steps);
            }
        } catch (StoreException e) {
            // The next claim brings them.
        }
    }

    private List<String> steps(String operation) {
        return ClaimOrigin.listedSteps(table.steps(operation));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return lists.sweep(grace, limit);
    }

    /** The database deletes expired rows by itself; until it does, they are absent to every method and reclaimed by their revision. */
    @Override
    public int reap(int limit) {
        return 0;
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return lists.attention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return lists.resolve(resolution);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return lists.erase(order);
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return table.listAudit(limit);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return table.countScope(scope, upTo);
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return lists.count(limit);
    }

    @Override
    public Set<String> listEncryptionMarks() {
        return table.marks();
    }

    @Override
    public void addEncryptionMark(String mark) {
        table.addMark(mark);
    }

    @Override
    public boolean hasPayloadsNotBeginningWith(byte first) {
        return table.sample().stream()
                .flatMap(row -> RecordEncoding.payloads(row).stream())
                .anyMatch(bytes -> bytes.length == 0 || bytes[0] != first);
    }

    @Override
    public void close() {
        table.close();
    }
}
