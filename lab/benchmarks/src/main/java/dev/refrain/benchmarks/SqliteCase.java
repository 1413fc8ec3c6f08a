package dev.refrain.benchmarks;

/** One file, durable on commit: many claims or completions in a commit, against one in each. */
final class SqliteCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("sqlite", "leased on SQLite, batched ÷ one commit each", 5);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var batched = new SqliteSide(lab.freshFile("batched.db"));
                var single = new SqliteOneByOneSide(lab.freshFile("single.db"))) {
            return title().reached(lab.pairs(meter).compare(batched, single, CALLERS), batched.readings());
        }
    }
}
