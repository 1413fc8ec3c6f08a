package dev.refrain.benchmarks;
/** Histogram of latencies, in buckets less than one percent wide, whose size does not grow with the number of calls. Not thread-safe. */
final class LatencyHistogram {

    private static final int BITS = 7;
    private static final int PER_POWER_OF_TWO = 1 << BITS;
    private static final int POWERS = 32;
    private static final long LONGEST = (1L << (POWERS + BITS - 1)) - 1;

    private final long[] counts = new long[POWERS * PER_POWER_OF_TWO];
    private long count;

    void add(long nanos) {
        counts[bucket(Math.clamp(nanos, 0, LONGEST))]++;
        count++;
    }

    void add(LatencyHistogram others) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += others.counts[i];
        }
        count += others.count;
    }

    long count() {
        return count;
    }

    /** Returns the latency in nanoseconds that this share of all calls did not exceed; zero if there were no calls. */
    double quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return middle(i);
            }
        }
        return 0;
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - Long.numberOfLeadingZeros(nanos >> BITS);
        int shift = Math.max(0, power - 1);
        return power * PER_POWER_OF_TWO + (int) ((nanos >> shift) & (PER_POWER_OF_TWO - 1));
    }

    private static double middle(int bucket) {
        int power = bucket >> BITS;
        int shift = Math.max(0, power - 1);
        long low = (bucket & (PER_POWER_OF_TWO - 1)) | (power == 0 ? 0 : PER_POWER_OF_TWO);
        return (low + 0.5) * (1L << shift);
    }
}
