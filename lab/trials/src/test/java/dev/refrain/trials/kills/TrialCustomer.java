package dev.refrain.trials.kills;

import dev.refrain.trials.kills.JournalEntry.Kind;
import java.util.Random;

/** Customer that uses one key after the other, racing others in this and other processes. */
record TrialCustomer(KeySchedule plan, JournaledCaller counter, Random random) implements Runnable {

    private static final int THINKS_MILLIS = 40;
    private static final int ONE_IS_FORGED_IN = 25;
    private static final int ONE_IS_LOOKED_INTO_IN = 4;

    @Override
    public void run() {
        var modes = TrialMode.values();
        while (true) {
            var mode = modes[random.nextInt(modes.length)];
            String key = KeySchedule.key(mode, plan.pick(random));
            var seen = counter.ask(mode, key);
            if (seen.kind() == Kind.CLOSED) {
                return;
            }
            if (seen.isAnswer() && random.nextInt(ONE_IS_FORGED_IN) == 0) {
                counter.askForSomethingElse(mode, key);
            }
            if (seen.kind() == Kind.ATTENTION && random.nextInt(ONE_IS_LOOKED_INTO_IN) == 0) {
                new AttentionDesk(counter).resolveIfCharged(key);
            }
            think();
        }
    }

    private void think() {
        try {
            Thread.sleep(random.nextInt(THINKS_MILLIS));
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts a customer", e);
        }
    }
}
