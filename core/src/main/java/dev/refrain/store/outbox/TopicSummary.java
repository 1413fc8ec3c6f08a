package dev.refrain.store.outbox;

import java.time.Duration;
import java.util.Optional;

/**
 * Overview of a topic. Immutable.
 *
 * @param waiting messages that are neither delivered nor dead
 * @param underWay how many of them a relay has leased now
 * @param failing how many of them failed before and will be retried
 * @param dead its dead letters
 * @param oldest how long ago the oldest waiting message was staged
 * @param more whether the store stopped counting at a limit, so that every number is a lower bound
 */
public record TopicSummary(
        String topic, long waiting, long underWay, long failing, long dead, Optional<Duration> oldest, boolean more) {}
