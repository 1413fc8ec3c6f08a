package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * What waits in a topic.
 *
 * @param waiting messages that are neither delivered nor dead
 * @param dead its dead letters
 * @param lag for how long the message that is due longest has been due; nothing if none is
 * @param more whether there are more than were counted
 */
public record TopicBacklog(long waiting, long dead, Duration lag, boolean more) {}
