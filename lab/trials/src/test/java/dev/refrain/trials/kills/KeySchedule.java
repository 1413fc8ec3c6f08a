package dev.refrain.trials.kills;

import java.util.Random;

/**
 * Schedule of keys, the same for every process, so that all of them use the same few keys at the same time and race from a key's first
 * moment on.
 *
 *
 * @param begun milliseconds since 1970
 * @param window how many of the newest keys are asked for
 */
record KeySchedule(long begun, int keysPerSecond, int window) {

    static final String SCOPE = "shop";

    private static final int LATELY_SECONDS = 5;

    static KeySchedule beginningNow() {
        return new KeySchedule(System.currentTimeMillis(), 25, 8);
    }

    /** Returns the newest key of this moment. */
    int newest() {
        return Math.max(0, (int) ((System.currentTimeMillis() - begun) * keysPerSecond / 1_000));
    }

    /**
     * Picks a key: mostly one of the newest, for which duplicates race; often one of the last seconds, whose lease may have ended; now and
     * then any old one, whose answer must not have changed.
     */
    int pick(Random random) {
        int newest = newest();
        return switch (random.nextInt(10)) {
            case 0 -> random.nextInt(newest + 1);
            case 1, 2, 3 -> Math.max(0, newest - random.nextInt(LATELY_SECONDS * keysPerSecond));
            default -> Math.max(0, newest - random.nextInt(window));
        };
    }

    static String key(TrialMode mode, int index) {
        return "%s-%06d".formatted(mode, index);
    }

    static TrialMode modeOf(String key) {
        return TrialMode.valueOf(key.substring(0, key.indexOf('-')));
    }

    /** Returns the only valid request under the key. */
    static String request(String key) {
        return "charge " + (100 + Math.floorMod(key.hashCode(), 9_900)) + " for " + key;
    }
}
