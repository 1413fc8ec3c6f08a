package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteRelayHandlerTest extends RelayHandlerContract {

    @TempDir
    Path directory;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(directory);
    }

    /** SQLite takes the whole transaction back, as the statement says, and the handler does not look. */
    @Test
    void messageOfWhoseHandlingNothingIsLeftIsNotDelivered() throws Exception {
        execute("CREATE UNIQUE INDEX once ON done (what)");
        execute("INSERT INTO done VALUES ('there')");
        started(relay().handle(TopicSettings.of("t").backoff(AT_ONCE).maxAttempts(2), (tx, delivery) -> {
            insert(tx, delivery.bodyText());
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
}
