package dev.refrain.trials.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Timeline of what the parent did. */
final class KillTimeline {

    private final long begun;
    private final List<String> lines = new ArrayList<>();
    private int kills;
    private int freezes;
    private int closings;
    private int serverKills;
    private final AtomicInteger rowLocks = new AtomicInteger();
    private final AtomicInteger silences = new AtomicInteger();

    KillTimeline(KeySchedule plan) {
        begun = plan.begun();
    }

    void killed(ShopProcess till) {
        kills++;
        add("killed " + till.name() + (till.isReady() ? "" : " while it started"));
    }

    void froze(ShopProcess till) {
        freezes++;
        add("froze " + till.name());
    }

    void closed(ShopProcess till) {
        closings++;
        add("closed " + till.name());
    }

    void killedServer() {
        serverKills++;
        add("killed the database");
    }

    void lockedRows() {
        rowLocks.incrementAndGet();
        add("locked rows");
    }

    void silencedNetwork() {
        silences.incrementAndGet();
        add("silenced the network");
    }

    synchronized void add(String what) {
        lines.add("%6d ms  %s".formatted(System.currentTimeMillis() - begun, what));
    }

    int kills() {
        return kills;
    }

    int freezes() {
        return freezes;
    }

    int closings() {
        return closings;
    }

    int serverKills() {
        return serverKills;
    }

    int rowLocks() {
        return rowLocks.get();
    }

    int silences() {
        return silences.get();
    }

    long begun() {
        return begun;
    }

    @Override
    public synchronized String toString() {
        return String.join("\n", lines);
    }
}
