package dev.refrain.trials.simulation.machine;

import dev.refrain.Environment;

/** Something due at a moment of virtual time. */
final class Alarm implements Environment.Timer, Comparable<Alarm> {

    final long at;
    final Domain domain;
    final Runnable task;
    private final long order;
    private boolean cancelled;

    /** @param order among those due at the same moment, so that equal worlds stay equal */
    Alarm(long at, long order, Domain domain, Runnable task) {
        this.at = at;
        this.order = order;
        this.domain = domain;
        this.task = task;
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public int compareTo(Alarm other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(order);
    }
}
