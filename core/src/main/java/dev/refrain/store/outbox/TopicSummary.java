package dev.refrain.store.outbox;

import java.time.Duration;
import java.util.Optional;

/**
 * A topic at a glance.
 *
 * @param waiting messages that are neither delivered nor dead
 * @param underWay how many of them a relay has now
 * @param failing how many of them failed before and are to be tried again
 * @param dead its dead letters
 * @param oldest how long ago the oldest of those that wait was staged
 * @param more whether there are more than were counted: then every number here is the least that it can be
 */
public record TopicSummary(
        String topic, long waiting, long underWay, long failing, long dead, Optional<Duration> oldest, boolean more) {}
