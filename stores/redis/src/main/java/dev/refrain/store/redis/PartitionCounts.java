package dev.refrain.store.redis;

import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Counts of one partition. */
record PartitionCounts(
        long running,
        long leaseOver,
        long attention,
        long expired,
        Optional<Duration> oldest,
        Optional<Duration> reapDelay) {

    private static final long SLACK_MICROS = 60_000_000L;

    static PartitionCounts of(ScriptReply reply) {
        long now = reply.number(1);
        long seen = reply.number(2);
        long peak = reply.number(3);
        long total = reply.number(4);
        long unnoted = seen > now ? seen - now + SLACK_MICROS : 0;
        long expired = reply.number(8);
        return new PartitionCounts(
                reply.number(5),
                reply.number(6),
                reply.number(7),
                expired,
                Optional.of(reply.text(9))
                        .filter(claimed -> !claimed.isEmpty())
                        .map(Long::parseLong)
                        .map(claimed -> RedisTimes.duration(now - claimed + (claimed > peak ? 0 : total) + unnoted)),
                expired == 0
                        ? Optional.empty()
                        : Optional.of(RedisTimes.duration(now - (long) Double.parseDouble(reply.text(10)))));
    }

    static UnsettledCounts sum(List<PartitionCounts> all, int limit) {
        long running =
                Math.min(limit, all.stream().mapToLong(PartitionCounts::running).sum());
        long attention = Math.min(
                limit, all.stream().mapToLong(PartitionCounts::attention).sum());
        long expired =
                Math.min(limit, all.stream().mapToLong(PartitionCounts::expired).sum());
        return new UnsettledCounts(
                running,
                Math.min(
                        running,
                        all.stream().mapToLong(PartitionCounts::leaseOver).sum()),
                attention,
                all.stream().flatMap(part -> part.oldest().stream()).max(Comparator.naturalOrder()),
                expired,
                all.stream().flatMap(part -> part.reapDelay().stream()).max(Comparator.naturalOrder()),
                running == limit || attention == limit || expired == limit);
    }
}
