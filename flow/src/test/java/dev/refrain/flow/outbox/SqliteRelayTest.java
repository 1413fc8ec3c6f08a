package dev.refrain.flow.outbox;

import static dev.refrain.flow.Soon.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteRelayTest extends RelayContract {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        return sqlite(directory);
    }

    /** Those who write beside the relay wait for the lock. */
    static DataSource sqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl(
                "jdbc:sqlite:" + directory.resolve("outbox.db") + "?busy_timeout=5000&transaction_mode=IMMEDIATE");
        return source;
    }

    /** SQLite takes the whole transaction back, as the statement says, and the handler does not look. */
    @Test
    void aMessageOfWhoseHandlingNothingIsLeftIsNotDelivered() throws Exception {
        execute("CREATE UNIQUE INDEX once ON done (what)");
        execute("INSERT INTO done VALUES ('there')");
        started(relay().handle(Topic.named("t").backoff(AT_ONCE).attempts(2), (tx, delivery) -> {
            insert(tx, delivery.text());
            try (var statement = tx.createStatement()) {
                assertThatThrownBy(() -> statement.execute("INSERT OR ROLLBACK INTO done VALUES ('there')"))
                        .isInstanceOf(SQLException.class);
            }
        }));
        stage("t", "a");
        await().until(() -> waiting("t") == 0);
        assertThat(dead()).hasSize(1);
        assertThat(done()).containsExactly("there");
    }

    @Override
    String earlier(String column, Duration time) {
        return column + " - " + time.toMillis();
    }
}
