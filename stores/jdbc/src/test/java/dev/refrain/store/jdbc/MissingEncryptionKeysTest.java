package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Key rings that lack keys with which the store was encrypted: what they cannot read is said at the start. */
class MissingEncryptionKeysTest {

    @TempDir
    Path directory;

    private JdbcStore inner;

    @BeforeEach
    void encryptWithTwoKeys() {
        inner = JdbcStore.on(SqliteDataSourceFactory.at(directory.resolve("refrain.db")));
        EncryptingStore.around(inner, ring("2025"));
        EncryptingStore.around(inner, ring("2026").and("2025", secret("2025")));
    }

    @AfterEach
    void close() {
        inner.close();
    }

    private static EncryptionKeyRing ring(String id) {
        return EncryptionKeyRing.of(id, secret(id));
    }

    private static byte[] secret(String id) {
        var secret = new byte[32];
        Arrays.fill(secret, (byte) id.hashCode());
        return secret;
    }

    @Test
    void ringWithNoneOfTheKeysIsRefusedAndLeavesNoMark() {
        for (int start = 1; start <= 2; start++) {
            assertThatThrownBy(() -> EncryptingStore.around(inner, ring("2030")))
                    .as("start %d", start)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("the keys 2025, 2026", "it has 2030", "refrain.encryption.keys");
        }
    }

    @Test
    void ringThatReadsPlainPayloadsButNoneOfTheKeysIsRefusedToo() {
        assertThatThrownBy(() -> EncryptingStore.around(inner, ring("2030").readingPlain()))
                .hasMessageContaining("the ring has none of them");
    }

    @Test
    void ringThatLacksOneKeyStartsAndItsIdIsWarnedOf() {
        try (var captured = CapturedWarnings.of(EncryptingStore.class)) {
            EncryptingStore.around(inner, ring("2026"));
            assertThat(captured.messages())
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .contains("was encrypted: 2025. ", "refrain.encryption.keys", "REFRAIN_ENCRYPTION_KEYS"));
        }
    }

    @Test
    void toolWhoseRingLacksOneKeyIsWarnedToo() {
        try (var captured = CapturedWarnings.of(EncryptingStore.class)) {
            EncryptingStore.joining(inner, ring("2026"));
            assertThat(captured.messages())
                    .singleElement()
                    .satisfies(warning -> assertThat(warning).contains("was encrypted: 2025. "));
        }
    }

    @Test
    void ringWithAllKeysStartsInSilence() {
        try (var captured = CapturedWarnings.of(EncryptingStore.class)) {
            EncryptingStore.around(
                    inner, ring("2027").and("2026", secret("2026")).and("2025", secret("2025")));
            assertThat(captured.messages()).isEmpty();
        }
    }

    /** As docs/encryption.md says, once nothing of the old key is left. */
    @Test
    void keyWhoseMarkWasRemovedIsNotMissed() throws IOException {
        new RawSql(SqliteDataSourceFactory.at(directory.resolve("refrain.db"))).execute(documentedRemovalOf("2025"));
        try (var captured = CapturedWarnings.of(EncryptingStore.class)) {
            EncryptingStore.around(inner, ring("2026"));
            assertThat(captured.messages()).isEmpty();
        }
    }

    /** An id may hold any visible character, also those that a pattern takes for others. */
    @ParameterizedTest
    @ValueSource(strings = {"k_1", "k%1", "k*1", "k?1", "k[x]1"})
    void markIsRemovedAlone(String id) throws IOException {
        var postgres = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var other = JdbcStore.on(postgres)) {
            for (var store : List.of(inner, other)) {
                var marks = store.ability(EncryptionMarks.class).orElseThrow();
                List.of("k_1", "k%1", "k*1", "k?1", "k[x]1", "kx1", "K_1", "k_12")
                        .forEach(each -> marks.addEncryptionMark(each + " check"));
                var before = new TreeSet<>(marks.listEncryptionMarks());

                new RawSql(store.dataSource()).execute(documentedRemovalOf(id));

                before.removeAll(marks.listEncryptionMarks());
                assertThat(before).containsExactly(id + " check");
            }
        }
    }

    private static String documentedRemovalOf(String id) throws IOException {
        var statement = Pattern.compile("`(DELETE FROM refrain_meta WHERE [^`]*2026-05[^`]*)`")
                .matcher(Files.readString(Path.of("../../docs/encryption.md")));
        assertThat(statement.find()).isTrue();
        return statement.group(1).replace("2026-05", id);
    }
}
