package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFlowTest extends FlowContract {

    @TempDir
    Path directory;

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.sqlite(directory);
    }

    /** SQLite takes the whole transaction back, as the table says, and the phase does not look. */
    @Test
    void phaseOfWhichNothingIsLeftIsNotCommitted() throws Exception {
        var strict = new AtomicBoolean(true);
        var flow = Flow.of("once", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO orders VALUES ('1', 'book', NULL)");
                    if (strict.get()) {
                        execute(tx, "CREATE TEMP TABLE seen (id VARCHAR(50) PRIMARY KEY ON CONFLICT ROLLBACK)");
                        execute(tx, "INSERT INTO seen VALUES ('book')");
                        assertThatThrownBy(() -> execute(tx, "INSERT INTO seen VALUES ('book')"))
                                .isInstanceOf(SQLException.class);
                    }
                    return PhaseResult.finish(201, "ordered");
                })
                .build();

        assertThatThrownBy(() -> flows.runForResult(flow, request("k"))).isInstanceOf(StoreException.class);
        assertThat(count("orders")).isZero();
        strict.set(false);
        assertThat(body(flows.runForResult(flow, request("k")))).isEqualTo("201 ordered");
        assertThat(count("orders")).isEqualTo(1);
    }
}
