package dev.refrain.store.redis;

import dev.refrain.api.KeyHash;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnsettledCounts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What concerns many records. Each partition's indices propose records, and a script decides about one record at a time, so that none runs for long:
 * a server does nothing else meanwhile.
 */
final class RedisIndexes {

    /** Scripts that are sent at once. */
    private static final int CHUNK = 256;

    private static final String BEGIN = "0";

    private final RedisKeys keys;
    private final RecordScripts scripts;
    private final RedisScriptConnection connection;

    RedisIndexes(RedisKeys keys, RecordScripts scripts, RedisScriptConnection connection) {
        this.keys = keys;
        this.scripts = scripts;
        this.connection = connection;
    }

    SweepResult sweep(Duration grace, int limit) {
        var due = due("Sweeping", "look", keys::lease, grace, limit);
        int released = 0;
        int held = 0;
        var escalated = new ArrayList<EscalatedRecord>();
        for (var reply : onEach(
                "Sweeping",
                due,
                lookup -> scripts.on(RedisScript.SWEEP, lookup, new byte[0])
                        .text(RedisKeys.member(lookup))
                        .micros(grace)
                        .build())) {
            if (reply.kind().equals("R")) {
                released++;
            } else if (reply.kind().equals("A")) {
                held++;
                if (escalated.size() < SweepResult.MAX_LISTED) {
                    escalated.add(new EscalatedRecord(
                            Optional.of(reply.text(1)).filter(name -> !name.isEmpty()),
                            new ScopedKey(reply.text(2), reply.text(3), reply.text(4)),
                            new RecordId(UUID.fromString(reply.text(5)))));
                }
            }
        }
        return new SweepResult(released, held, due.size() == limit && released + held > 0, escalated);
    }

    int reap(int limit) {
        var due = due("Reaping", "", keys::expiry, Duration.ZERO, limit);
        return (int) onEach(
                        "Reaping",
                        due,
                        lookup -> scripts.on(RedisScript.REAP, lookup, new byte[0])
                                .text(RedisKeys.member(lookup))
                                .build())
                .stream()
                .filter(reply -> reply.kind().equals("W"))
                .count();
    }

    /**
     * Returns what is due, the partitions in turn, so that none waits for another. A partition whose master is down has its turn when that is back:
     * the others go on.
     */
    private List<KeyHash> due(String doing, String look, IntFunction<byte[]> index, Duration grace, int limit) {
        var answered = askPartitions(
                        doing,
                        partition -> ScriptCall.of(
                                        RedisScript.DUE, List.of(index.apply(partition), keys.clock(partition)))
                                .micros(grace)
                                .number(limit)
                                .text(look)
                                .build())
                .stream()
                .filter(reply -> reply.failure() == null)
                .map(ScriptReply::parts)
                .toList();
        return IntStream.range(0, limit)
                .boxed()
                .flatMap(turn -> answered.stream()
                        .filter(members -> turn < members.size())
                        .map(members -> members.get(turn)))
                .limit(limit)
                .map(member -> RedisKeys.lookup(new String(member, StandardCharsets.US_ASCII)))
                .toList();
    }

    List<AttentionItem> attention(@Nullable AttentionItem after, int limit, StepsReader steps) {
        String score = after == null ? BEGIN : Long.toString(RedisTimes.sinceEpoch(after.since()));
        String member = after == null ? "" : RedisKeys.member(after.claim().lookup());
        while (true) {
            var page = page(score, member, limit);
            if (page.isEmpty()) {
                return List.of();
            }
            var items = connection
                    .callAll(
                            "Listing attention",
                            page.stream()
                                    .map(found -> scripts.read(RedisKeys.lookup(found.member()), false))
                                    .toList())
                    .stream()
                    .map(ScriptReply::orThrow)
                    .toList();
            var listed = new ArrayList<AttentionItem>();
            for (int i = 0; i < page.size(); i++) {
                if (items.get(i).kind().equals("F")) {
                    var record = new RedisRecord(RedisKeys.lookup(page.get(i).member()), items.get(i));
                    if (record.needsAttention()) {
                        listed.add(record.attentionItem(steps.stepsOf(record.operation())));
                    }
                }
            }
            // An empty page would be the end: where all were settled meanwhile, the next one is looked at.
            if (!listed.isEmpty()) {
                return listed;
            }
            score = Long.toString(page.getLast().score());
            member = page.getLast().member();
        }
    }

    private record Found(String member, long score) {}

    private List<Found> page(String score, String member, int limit) {
        var found = new ArrayList<Found>();
        for (var reply : onPartitions(
                "Listing attention",
                partition -> ScriptCall.of(RedisScript.AFTER, List.of(keys.attention(partition)))
                        .text(score)
                        .text(member)
                        .number(limit)
                        .build())) {
            for (int i = 0; i + 1 < reply.parts().size(); i += 2) {
                found.add(new Found(reply.text(i), (long) Double.parseDouble(reply.text(i + 1))));
            }
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Found::score).thenComparing(Found::member))
                .limit(limit)
                .toList();
    }

    List<AuditEntry> auditTrail(int limit) {
        return onPartitions(
                        "Reading the audit trail",
                        partition -> ScriptCall.of(RedisScript.TRAIL, List.of(keys.trail(partition)))
                                .number(limit)
                                .build())
                .stream()
                .flatMap(reply -> reply.parts().stream())
                .map(RedisIndexes::entry)
                .sorted(Comparator.comparing(AuditEntry::at).reversed())
                .limit(limit)
                .toList();
    }

    private static AuditEntry entry(byte[] line) {
        int space = 0;
        while (line[space] != ' ') {
            space++;
        }
        var at = RedisTimes.instant(Long.parseLong(new String(line, 0, space, StandardCharsets.US_ASCII)));
        var rest = ByteBuffer.wrap(line, space + 1, line.length - space - 1);
        return new AuditEntry(at, text(rest), text(rest), text(rest), text(rest));
    }

    private static String text(ByteBuffer from) {
        var bytes = new byte[from.getInt()];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The line in the audit trail comes first: partitions cannot be erased in one step, and no erasure may go without its line. */
    ErasureResult erase(ErasureRequest order) {
        String scope = switch (order.target()) {
            case ErasureRequest.OfScope of -> of.scope();
            case ErasureRequest.OfSubject of -> of.scope();
        };
        Optional<String> subject =
                order.target() instanceof ErasureRequest.OfSubject of ? Optional.of(of.subject()) : Optional.empty();
        var unused = connection.call(
                "Erasing records",
                ScriptCall.of(RedisScript.AUDIT, List.of(keys.trail(0)))
                        .bytes(RecordScripts.line(
                                "erase",
                                subject.isPresent() ? "records of a person" : "records of a scope",
                                order.who(),
                                order.why()))
                        .build());
        var result = new ErasureResult(0, 0, false);
        for (int partition = 0; partition < RedisKeys.PARTITIONS; partition++) {
            String cursor = BEGIN;
            do {
                var page = connection.call(
                        "Erasing records",
                        ScriptCall.of(RedisScript.SCAN, List.of(keys.scope(partition, scope)))
                                .text(cursor)
                                .number(CHUNK)
                                .build());
                cursor = page.kind();
                for (int i = 1; i < page.parts().size(); i++) {
                    result = eraseOne(result, order, RedisKeys.lookup(page.text(i)), scope, subject);
                }
            } while (!cursor.equals(BEGIN));
        }
        return result;
    }

    private ErasureResult eraseOne(
            ErasureResult before, ErasureRequest order, KeyHash lookup, String scope, Optional<String> subject) {
        int partition = keys.partitionOf(lookup);
        boolean room = before.erased() < order.limit();
        var reply = connection.call(
                "Erasing records",
                ScriptCall.of(
                                RedisScript.ERASE,
                                List.of(keys.record(lookup), keys.lease(partition), keys.scope(partition, scope)))
                        .text(RedisKeys.member(lookup))
                        .text(scope)
                        .optional(subject)
                        .text(room ? "1" : "0")
                        .build());
        return switch (reply.kind()) {
            case "E" ->
                new ErasureResult(
                        before.erased() + 1,
                        before.leftInUse(),
                        before.hasMore() || before.erased() + 1 == order.limit());
            case "U" -> new ErasureResult(before.erased(), before.leftInUse() + 1, before.hasMore());
            case "M" -> new ErasureResult(before.erased(), before.leftInUse(), true);
            case "V" -> throw RedisErrors.newerFormat(reply.text(1));
            default -> before;
        };
    }

    long countKeys(String scope, long upTo) {
        long all = onPartitions(
                        "Counting records",
                        partition -> ScriptCall.of(RedisScript.CARD, List.of(keys.scope(partition, scope)))
                                .build())
                .stream()
                .mapToLong(reply -> reply.number(0))
                .sum();
        return Math.min(all, upTo);
    }

    UnsettledCounts countUnsettled(int limit) {
        var census = onPartitions(
                        "Counting unsettled records",
                        partition -> ScriptCall.of(
                                        RedisScript.CENSUS,
                                        List.of(
                                                keys.lease(partition),
                                                keys.attention(partition),
                                                keys.expiry(partition),
                                                keys.clock(partition)))
                                .number(limit)
                                .build())
                .stream()
                .map(PartitionCounts::of)
                .toList();
        return PartitionCounts.sum(census, limit);
    }

    /** Asks every partition, and throws if one did not answer: a list or a count without it would look complete. */
    private List<ScriptReply> onPartitions(String doing, IntFunction<ScriptCall> call) {
        var replies = askPartitions(doing, call);
        var failures = replies.stream()
                .map(ScriptReply::failure)
                .filter(Objects::nonNull)
                .toList();
        if (!failures.isEmpty()) {
            throw StoreException.unavailable(
                    doing + " is incomplete: " + failures.size() + " of " + RedisKeys.PARTITIONS
                            + " partitions did not answer. Is a master of the Cluster down? First failure: "
                            + failures.getFirst().getMessage(),
                    Effect.NONE,
                    failures.getFirst());
        }
        return replies;
    }

    private List<ScriptReply> askPartitions(String doing, IntFunction<ScriptCall> call) {
        return connection.callAll(
                doing, IntStream.range(0, RedisKeys.PARTITIONS).mapToObj(call).toList());
    }

    private List<ScriptReply> onEach(String doing, List<KeyHash> lookups, Function<KeyHash, ScriptCall> call) {
        var replies = new ArrayList<ScriptReply>();
        for (int from = 0; from < lookups.size(); from += CHUNK) {
            var chunk = lookups.subList(from, Math.min(from + CHUNK, lookups.size()));
            // One that fails is found again by the next pass.
            connection.callAll(doing, chunk.stream().map(call).toList()).stream()
                    .filter(reply -> reply.failure() == null)
                    .forEach(replies::add);
        }
        return replies;
    }

    /** Reads the steps of an operation. */
    @FunctionalInterface
    interface StepsReader {
        List<String> stepsOf(String operation);
    }
}
