package dev.refrain.trials.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Pool of serving processes that are killed, frozen and started again. */
final class KilledProcessPool implements AutoCloseable {

    private static final int TILLS = 4;

    /** Kills per freeze on SQLite, where a process that is paused with the one write lock stops all others. */
    private static final int STRIKES_TO_A_FREEZE_ON_SQLITE = 24;

    private static final int STRIKES_TO_A_FREEZE = 6;
    private static final int ONE_IS_CLOSED_IN = 10;
    private static final double USUAL_START_MILLIS = 700;

    private final ChildJvmLauncher launcher;
    private final TrialSetup setup;
    private final KillTimeline timeline;
    private final Random random;
    private final List<ShopProcess> tills = new ArrayList<>();
    private final List<ShopProcess> leaving = new ArrayList<>();
    private final List<CompletableFuture<Void>> closing = new ArrayList<>();
    private final List<Path> journals = new ArrayList<>();
    private int strikes;

    KilledProcessPool(ChildJvmLauncher launcher, TrialSetup setup, KillTimeline timeline, Random random)
            throws IOException {
        this.launcher = launcher;
        this.setup = setup;
        this.timeline = timeline;
        this.random = random;
        for (int i = 0; i < TILLS; i++) {
            tills.add(startNext());
        }
    }

    private ShopProcess startNext() throws IOException {
        String name = "till-" + journals.size();
        var journal = setup.folder().resolve(name + ".journal");
        journals.add(journal);
        return launcher.start(name, setup.serving(journal, random.nextLong()));
    }

    boolean allReady() {
        tills.forEach(ShopProcess::requireAlive);
        return tills.stream().allMatch(ShopProcess::isReady);
    }

    /** Returns the time between two kills: 0.1 s to a little more than 0.5 s, longer on a machine whose starts are slow. */
    Duration rest() {
        double start = tills.stream()
                .mapToLong(till -> till.start().toMillis())
                .average()
                .orElse(0);
        return Duration.ofMillis((long) ((100 + random.nextInt(500)) * Math.max(1, start / USUAL_START_MILLIS)));
    }

    /** Kills a process: mostly one that serves, now and then one that is still opening the store, none that is frozen. */
    void strike() throws IOException, InterruptedException {
        tills.forEach(ShopProcess::requireAlive);
        var serving = tills.stream()
                .filter(till -> till.isReady() && !till.isFrozen())
                .toList();
        var starting = tills.stream().filter(till -> !till.isReady()).toList();
        strikes++;
        if (!starting.isEmpty() && random.nextInt(10) == 0) {
            kill(starting.getFirst());
        } else if (!serving.isEmpty()) {
            strike(serving.get(random.nextInt(serving.size())));
        }
    }

    private void strike(ShopProcess victim) throws IOException, InterruptedException {
        if (strikes % strikesToAFreeze() == strikesToAFreeze() / 2) {
            freeze(victim);
        } else if (random.nextInt(ONE_IS_CLOSED_IN) == 0) {
            close(victim);
        } else {
            kill(victim);
        }
    }

    private int strikesToAFreeze() {
        return setup.place().isSqlite() ? STRIKES_TO_A_FREEZE_ON_SQLITE : STRIKES_TO_A_FREEZE;
    }

    private void kill(ShopProcess victim) throws IOException, InterruptedException {
        victim.kill();
        timeline.killed(victim);
        tills.set(tills.indexOf(victim), startNext());
    }

    /** Closes a process in the background, because it may take as long as its work. */
    private void close(ShopProcess victim) throws IOException {
        timeline.closed(victim);
        closing.add(CompletableFuture.runAsync(
                () -> {
                    try {
                        victim.close();
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException("Closing " + victim.name() + " failed", e);
                    }
                },
                Thread::startVirtualThread));
        leaving.add(victim);
        tills.set(tills.indexOf(victim), startNext());
    }

    /** Freezes a process for longer than a lease, so that others take its claims over. */
    private void freeze(ShopProcess victim) throws IOException {
        timeline.froze(victim);
        victim.freeze(TrialShop.LEASE.plusMillis(500 + random.nextInt(1_000)));
    }

    /** Returns whether enough was answered to prove something. */
    boolean hasServedEnough() {
        return RequiredActivity.of(
                RequiredActivity.count(journals.stream().flatMap(journal -> AnswerJournal.read(journal).stream())));
    }

    /** Waits for processes that are closing, and kills all others. */
    void killAll() throws InterruptedException {
        closing.forEach(CompletableFuture::join);
        for (var till : tills) {
            till.kill();
            timeline.killed(till);
        }
        tills.clear();
    }

    List<Path> journals() {
        return journals;
    }

    /** Kills all processes after a failure. */
    @Override
    public void close() {
        tills.forEach(ShopProcess::end);
        leaving.forEach(ShopProcess::end);
    }
}
