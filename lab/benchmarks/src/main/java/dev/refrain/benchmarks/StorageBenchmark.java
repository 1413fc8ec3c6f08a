package dev.refrain.benchmarks;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Compares the bytes on disk of a completed key, tables and indexes together, with those of a table written by hand. */
record StorageBenchmark(BenchmarkTitle title, Workload workload) implements BenchmarkCase {

    private static final int CALLERS = 64;

    /** Size of an answer, as many APIs have it. */
    private static final int ANSWER_BYTES = 200;

    private static final String SIZE =
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c WHERE c.relkind = 'r' AND c.relname LIKE ?";

    /** Opens the protected side on a database. */
    @FunctionalInterface
    interface Workload {
        BenchmarkWorkload on(String url, int answerBytes) throws SQLException;
    }

    static BenchmarkCase transactional() {
        return of("bytes-transactional", "transactional", 1.5, TransactionalWorkload::answering);
    }

    static BenchmarkCase leased() {
        return of("bytes-leased", "leased", 1.8, LeasedWorkload::answering);
    }

    private static BenchmarkCase of(String name, String mode, double bar, Workload workload) {
        return new StorageBenchmark(
                new BenchmarkTitle(
                        name,
                        "bytes on disk of a key, " + mode
                                + " ÷ by hand (scope, key, request and an answer of 200 bytes)",
                        "ratio of bytes",
                        BenchmarkThreshold.atMost(bar)),
                workload);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public BenchmarkResult measure(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        int keys = lab.scale().fewKeys();
        double ours = bytesPerKey(lab, keys, "refrain%", url -> workload.on(url, ANSWER_BYTES));
        meter.at(1, 2, "by hand");
        double byHand =
                bytesPerKey(lab, keys, "hand_written_key", url -> HandWrittenKeyWorkload.keyLast(url, ANSWER_BYTES));
        return new BenchmarkResult(
                title,
                QuartileSpread.single(ours / byHand),
                1,
                List.of(
                        SecondaryMeasurement.of("ours", ours, "bytes"),
                        SecondaryMeasurement.of("by hand", byHand, "bytes")),
                List.of());
    }

    /** Opens a side on a database. */
    @FunctionalInterface
    private interface SideOpener {
        BenchmarkWorkload open(String url) throws SQLException;
    }

    private static double bytesPerKey(BenchmarkTestbed lab, int keys, String tables, SideOpener opener)
            throws Exception {
        String url = lab.freshDatabase();
        try (var side = opener.open(url)) {
            long empty = size(url, tables);
            callAll(side, keys);
            return (size(url, tables) - empty) / (double) keys;
        }
    }

    private static void callAll(BenchmarkWorkload side, int calls) throws Exception {
        var next = new AtomicInteger();
        Callable<Boolean> caller = () -> {
            while (next.getAndIncrement() < calls) {
                side.callOnce();
            }
            return true;
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(CALLERS, caller))) {
                each.get();
            }
        }
    }

    private static long size(String url, String tables) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var select = connection.prepareStatement(SIZE)) {
            select.setString(1, tables);
            try (var row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
