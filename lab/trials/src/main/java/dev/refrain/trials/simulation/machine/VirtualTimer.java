package dev.refrain.trials.simulation.machine;

import dev.refrain.api.ExecutionEnvironment;

/** Task that is due at a moment of virtual time. */
final class VirtualTimer implements ExecutionEnvironment.Timer, Comparable<VirtualTimer> {

    final long at;
    final SimulatedThreadGroup domain;
    final Runnable task;
    private final long order;
    private boolean cancelled;

    /** @param order among those due at the same moment, so that equal worlds stay equal */
    VirtualTimer(long at, long order, SimulatedThreadGroup domain, Runnable task) {
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
    public int compareTo(VirtualTimer other) {
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
