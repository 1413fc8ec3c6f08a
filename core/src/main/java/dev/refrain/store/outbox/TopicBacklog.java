package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * Backlog of a topic. Immutable.
 *
 * @param waiting messages that are neither delivered nor dead
 * @param dead its dead letters
 * @param lag how long the longest-due message has been due; zero if none is
 * @param more whether there are more than were counted
 */
public record TopicBacklog(long waiting, long dead, Duration lag, boolean more) {}
