package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * Instances of two versions work on the same rows during a rollout. The older one knows an announced call by the exclamation mark behind
 * the recovery point alone, and must find it; the newer one must find it where the older one wrote it.
 */
class AnnouncedCallEncodingTest {

    @TempDir
    Path directory;

    @Test
    void announcedCallIsKnownToOlderVersionsAndFromThem() throws SQLException {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
        try (var store = JdbcStore.on(source)) {
            var request = ClaimRequestFixtures.claimRequest("k");
            var claim = claim(store, request);

            assertThat(store.write(List.of(new RecordWrite.Checkpoint(
                            claim, RecoveryPoint.withCallAnnounced("charge"), Optional.empty(), Optional.empty()))))
                    .containsExactly(new RecordWriteResponse.Written());
            assertThat(recoveryPoint(source)).as("what an older version reads").isEqualTo("charge!");

            new RawSql(source).execute("UPDATE refrain_record SET recovery_point = 'ship!', call_announced_at = NULL");
            var explained = store.explain(request.identity()).orElseThrow();
            assertThat(explained.recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("ship"));
            assertThat(explained.calls()).singleElement().satisfies(call -> {
                assertThat(call.derivedKey()).isEqualTo(claim.id().keyFor("ship"));
                assertThat(call.announcedAt()).isEmpty();
            });
            assertThat(store.find(List.of(request.identity()))
                            .getFirst()
                            .orElseThrow()
                            .recoveryPoint())
                    .contains(RecoveryPoint.withCallAnnounced("ship"));
        }
    }

    private static ClaimRef claim(JdbcStore store, ClaimRequest request) {
        return ((ClaimResponse.Acquired) store.claim(List.of(request)).getFirst())
                .record()
                .claim();
    }

    private static String recoveryPoint(SQLiteDataSource source) throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT recovery_point FROM refrain_record")) {
            rows.next();
            return rows.getString(1);
        }
    }
}
