package dev.refrain.store.redis;

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
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnsettledCounts;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Store in Redis 7 or Valkey: one server, the master behind Sentinels, or a Cluster, which is detected.
 * {@snippet :
 * try (var store = RedisStore.at("redis://:secret@localhost:6379")) {
 *     var refrain = Refrain.using(store);
 * }
 * }
 *
 * <p>Not {@linkplain StoreTraits#correct correct}: replication is asynchronous, and a failover can forget what was acknowledged, so that a
 * request runs twice. {@linkplain StoreTraits#durable Durable} only where the server syncs its append-only file after every write.
 *
 * <p>Each operation is a script that the server runs atomically, with fences compared and time read there. A record is a hash; it and the
 * indices that list it are one of 64 partitions, which is their hash tag. Claiming a key: (1) read the hash; (2) if there is none, or it has expired,
 * make it with the nonce as its id; (3) else decide as {@link Store#claim} says, by the server's clock; (4) move the record between the indices
 * of leases, of expiry and of attention. Nothing has a time to live: only the reaper deletes, so that an index never names what is gone and
 * no eviction policy prefers a record.
 *
 * <p>Thread-safe. Holds four connections to each server, for claims, for completions, for renewals and reads, and for workers and operators. Every
 * wait ends after {@link RedisStoreBuilder#timeout}.
 */
public final class RedisStore
        implements Store, RecordEraser, AuditTrailReader, RecordCounter, KeptRequestReader, EncryptionMarks {

    private final StoreTraits traits;
    private final RedisLink link;
    private final RedisScriptConnection claims;
    private final RedisScriptConnection writes;
    private final RedisScriptConnection reads;
    private final RedisScriptConnection maintenance;
    private final RecordScripts scripts;
    private final RedisIndexes indexes;
    private final RedisOperationSteps steps;
    private final RedisEncryptionMarks marks;
    private final Optional<EvictionGuard> eviction;

    RedisStore(
            StoreTraits traits,
            RedisLink link,
            RedisKeys keys,
            Duration timeout,
            ReplicaWait replicas,
            boolean evictionAllowed) {
        this.traits = traits;
        this.link = link;
        this.claims = new RedisScriptConnection(link, timeout, replicas, keys.waitMarker());
        this.writes = new RedisScriptConnection(link, timeout, replicas, keys.waitMarker());
        this.reads = new RedisScriptConnection(link, timeout, replicas, keys.waitMarker());
        this.maintenance = new RedisScriptConnection(link, timeout, replicas, keys.waitMarker());
        this.scripts = new RecordScripts(keys);
        this.indexes = new RedisIndexes(keys, scripts, maintenance);
        this.steps = new RedisOperationSteps(keys);
        this.marks = new RedisEncryptionMarks(keys, maintenance);
        this.eviction = evictionAllowed ? Optional.empty() : Optional.of(new EvictionGuard());
    }

    /** Opens a store at this URL, with the defaults of {@link #builder}. */
    public static RedisStore at(String url) {
        return builder(url).build();
    }

    /**
     * Returns a builder of a store.
     *
     * @param url {@code redis://}, {@code rediss://} or {@code redis-sentinel://}, as Lettuce reads them; several nodes of a Cluster with commas between them, {@code
     *     redis://one:6379,two:6379}
     */
    public static RedisStoreBuilder builder(String url) {
        return new RedisStoreBuilder(url);
    }

    /** Returns a builder of a store at an address that the client library already has, which is copied. */
    public static RedisStoreBuilder builder(RedisURI uri) {
        return builder(List.of(uri));
    }

    /** Returns a builder of a store on a Cluster, of which these are some nodes: one of them must be there when the store is opened. */
    public static RedisStoreBuilder builder(List<RedisURI> nodes) {
        return new RedisStoreBuilder(nodes);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        var calls = new ArrayList<ScriptCall>();
        requests.forEach(request -> calls.add(scripts.claim(request)));
        var told = new ArrayList<ClaimOrigin>();
        requests.stream()
                .map(ClaimRequest::origin)
                .distinct()
                .forEach(origin -> steps.untold(origin).ifPresent(call -> {
                    calls.add(call);
                    told.add(origin);
                }));
        var replies = claims.callAll("Claiming " + requests.size() + " keys", calls, eviction);
        if (replies.subList(requests.size(), replies.size()).stream().allMatch(reply -> reply.failure() == null)) {
            told.forEach(steps::told);
        }
        var answers = new ArrayList<ClaimResponse>();
        for (int i = 0; i < requests.size(); i++) {
            answers.add(claimed(requests.get(i), replies.get(i)));
        }
        return answers;
    }

    private static ClaimResponse claimed(ClaimRequest request, ScriptReply reply) {
        if (reply.failure() != null) {
            return new ClaimResponse.Failed(reply.failure(), RedisErrors.isAway(reply.failure()));
        }
        return switch (reply.kind()) {
            case "A" -> new ClaimResponse.Acquired(new RedisRecord(request.lookup(), reply).stored());
            case "F" -> new ClaimResponse.Found(new RedisRecord(request.lookup(), reply).stored());
            case "X" -> new ClaimResponse.Failed(collision(request.identity()));
            default -> new ClaimResponse.Failed(RedisErrors.newerFormat(reply.text(1)));
        };
    }

    private static RowRejectedException collision(ScopedKey identity) {
        return RowRejectedException.badData(
                "Another identity has the lookup of " + identity + "; use another key.", null);
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> batch) {
        var connection = batch.stream().allMatch(RecordWrite.Renew.class::isInstance) ? reads : writes;
        var replies = connection.callAll(
                "Writing " + batch.size() + " records",
                batch.stream().map(scripts::write).toList());
        var answers = new ArrayList<RecordWriteResponse>();
        for (int i = 0; i < batch.size(); i++) {
            answers.add(written(batch.get(i), replies.get(i)));
        }
        return answers;
    }

    private static RecordWriteResponse written(RecordWrite write, ScriptReply reply) {
        if (reply.failure() != null) {
            return new RecordWriteResponse.Failed(reply.failure());
        }
        return switch (reply.kind()) {
            case "W" -> new RecordWriteResponse.Written();
            case "N" -> new RecordWriteResponse.Refused(Optional.empty());
            case "R" ->
                RecordWriteResponse.forUnchanged(
                        write, new RedisRecord(write.claim().lookup(), reply).stored());
            default -> new RecordWriteResponse.Failed(RedisErrors.newerFormat(reply.text(1)));
        };
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        var lookups = identities.stream().map(ScopedKey::hash).toList();
        var replies = reads.callAll(
                "Reading " + identities.size() + " records",
                lookups.stream().map(lookup -> scripts.read(lookup, true)).toList());
        var found = new ArrayList<Optional<StoredRecord>>();
        for (int i = 0; i < identities.size(); i++) {
            found.add(present(identities.get(i), lookups.get(i), replies.get(i)).map(RedisRecord::stored));
        }
        return found;
    }

    private static Optional<RedisRecord> present(ScopedKey identity, KeyHash lookup, ScriptReply reply) {
        var answered = reply.orThrow();
        if (answered.kind().equals("V")) {
            throw RedisErrors.newerFormat(answered.text(1));
        }
        if (answered.kind().equals("N")) {
            return Optional.empty();
        }
        var record = new RedisRecord(lookup, answered);
        if (record.isExpired()) {
            return Optional.empty();
        }
        if (record.isOfAnother(identity)) {
            throw collision(identity);
        }
        return Optional.of(record);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        var lookup = identity.hash();
        return present(identity, lookup, maintenance.call("Explaining a record", scripts.read(lookup, false)))
                .filter(record -> !record.isErased())
                .map(record -> record.explain(stepsOf(record.operation())));
    }

    @Override
    public Optional<Payload> readKeptRequest(ScopedKey identity) {
        var lookup = identity.hash();
        return present(identity, lookup, maintenance.call("Reading a kept request", scripts.read(lookup, true)))
                .flatMap(RedisRecord::keptRequest);
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        steps.untold(origin).ifPresent(call -> {
            var unused = claims.call("Storing the steps of an operation", call);
            steps.told(origin);
        });
    }

    private List<String> stepsOf(String operation) {
        return steps.listed(maintenance.call("Reading the steps of an operation", steps.read(operation)));
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        eviction.ifPresent(EvictionGuard::checkAgain);
        return indexes.sweep(grace, limit);
    }

    @Override
    public int reap(int limit) {
        return indexes.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return indexes.attention(after, limit, this::stepsOf);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        var lookup = resolution.claim().lookup();
        String doing = "Resolving record " + resolution.claim().id();
        var seen = maintenance.call(doing, scripts.read(lookup, false));
        String ended = "";
        if (seen.kind().equals("F")) {
            var record = new RedisRecord(lookup, seen);
            ended = record.needsAttention() ? record.reason(stepsOf(record.operation())) : "";
        }
        var reply = maintenance.call(doing, scripts.resolve(resolution, ended));
        return switch (reply.kind()) {
            case "W" -> new RecordWriteResponse.Written();
            case "N" -> new RecordWriteResponse.Refused(Optional.empty());
            case "R" -> new RecordWriteResponse.Refused(Optional.of(new RedisRecord(lookup, reply).stored()));
            default -> new RecordWriteResponse.Failed(RedisErrors.newerFormat(reply.text(1)));
        };
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return indexes.auditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return indexes.erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return indexes.countKeys(scope, upTo);
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return indexes.countUnsettled(limit);
    }

    @Override
    public Set<String> listEncryptionMarks() {
        return marks.listEncryptionMarks();
    }

    @Override
    public void addEncryptionMark(String mark) {
        marks.addEncryptionMark(mark);
    }

    @Override
    public boolean hasPayloadsNotBeginningWith(byte first) {
        return marks.hasPayloadsNotBeginningWith(first);
    }

    @Override
    public void close() {
        link.close();
    }
}
