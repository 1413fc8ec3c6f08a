package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.jdbc.internal.record.JdbcRecordEraser;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of an SQLite file after an erasure, while another connection reads. */
class SqliteErasureLogTest {

    private static final String WORD = "EVES-DATA";

    @TempDir
    Path directory;

    private boolean isInLog() throws IOException {
        return new String(Files.readAllBytes(directory.resolve("keys.db-wal")), StandardCharsets.ISO_8859_1)
                .contains(WORD);
    }

    private static void erase(JdbcStore store) {
        StoreAbility.require(store, RecordEraser.class, "This test")
                .erase(new ErasureRequest(new ErasureRequest.OfScope("tenant"), "ann", "asked for it", 100));
    }

    @Test
    void readerThatKeepsErasedBytesInTheLogIsWarnedOf() throws Exception {
        var source = SqliteDataSourceFactory.at(directory.resolve("keys.db"));
        try (var store = JdbcStore.on(source);
                var warnings = CapturedWarnings.of(JdbcRecordEraser.class)) {
            var claim = acquired(store, claimRequest("k")).claim();
            assertThat(store.write(List.of(complete(claim, WORD)))).containsExactly(new RecordWriteResponse.Written());
            try (var reader = source.getConnection();
                    var statement = reader.createStatement()) {
                reader.setAutoCommit(false);
                statement.executeQuery("SELECT count(*) FROM refrain_record").close();

                erase(store);

                assertThat(warnings.messages())
                        .singleElement()
                        .asString()
                        .contains("-wal file", "another connection was reading", "erase again");
                assertThat(isInLog()).isTrue();
                reader.rollback();
            }

            erase(store);

            assertThat(warnings.messages()).hasSize(1);
            assertThat(isInLog()).isFalse();
        }
    }
}
