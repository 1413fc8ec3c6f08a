package dev.refrain.trials.simulation.machine;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Source of all randomness in a world. Not thread-safe: a simulation runs on one thread. */
public final class SeededRandom {

    private static final int PER_MILLE = 1_000;

    private final SplittableRandom random;

    public SeededRandom(long seed) {
        this(new SplittableRandom(seed));
    }

    private SeededRandom(SplittableRandom random) {
        this.random = random;
    }

    /** Returns an independent stream, so that one more draw here does not change every draw there. */
    public SeededRandom split() {
        return new SeededRandom(random.split());
    }

    public boolean perMille(int probability) {
        return probability > 0 && random.nextInt(PER_MILLE) < probability;
    }

    public boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    public int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    public Duration upTo(Duration most) {
        return between(Duration.ZERO, most);
    }

    public Duration between(Duration least, Duration most) {
        return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos() + 1));
    }

    public <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    public UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
