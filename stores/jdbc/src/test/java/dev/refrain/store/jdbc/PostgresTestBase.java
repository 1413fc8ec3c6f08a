package dev.refrain.store.jdbc;

import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** A test with an emptied PostgreSQL, a store in it, and plain SQL beside that. */
abstract class PostgresTestBase {

    static final Duration GONE = Duration.ofMillis(1);
    static final Duration LONG = Duration.ofMinutes(5);

    final DataSource source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
    final RawSql sql = new RawSql(source);
    final JdbcStore store = store(JdbcStore.builder(source));

    /** As it is built unless a test wants another. */
    JdbcStore store(JdbcStoreBuilder builder) {
        return builder.build();
    }

    @AfterEach
    void close() {
        store.close();
    }
}
