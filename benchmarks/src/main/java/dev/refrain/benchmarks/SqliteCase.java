package dev.refrain.benchmarks;

import dev.refrain.store.jdbc.JdbcStore;

/** One file, durable on commit: many claims or completions in a commit, against one in each. */
final class SqliteCase implements Case {

    private static final int CALLERS = 128;

    @Override
    public Title title() {
        return Title.throughput("sqlite", "leased on SQLite, batched ÷ one commit each", 5);
    }

    @Override
    public Result measure(Lab lab, Meter meter) throws Exception {
        try (var batched = new SqliteSide("batched", JdbcStore.sqlite(lab.freshFile("batched.db")));
                var single = new SqliteSide(
                        "one commit each", new OneByOne(JdbcStore.sqlite(lab.freshFile("single.db"))))) {
            return title().reached(lab.pairs(meter).compare(batched, single, CALLERS), batched.readings());
        }
    }
}
