package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.MariadbServer;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The table of stores and abilities in {@code docs/stores.md} is what the stores say of themselves. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class StoresPageTest {

    private static final Path PAGE = Path.of("../../docs/stores.md");

    @TempDir
    Path directory;

    @Test
    void tableIsWhatTheStoresSayOfThemselves() throws IOException {
        try (var sqlite = JdbcStore.sqlite(directory.resolve("refrain.db"));
                var postgres = JdbcStore.on(TestDatabases.freshPostgres());
                var mysql = JdbcStore.on(
                        MariadbServer.dataSource(MariadbServer.shared().freshDatabase()))) {
            var stores = List.<Store>of(new MemoryStore(), sqlite, postgres, mysql);

            var table =
                    new StringBuilder("| | memory | SQLite | PostgreSQL | MariaDB, MySQL |\n|---|---|---|---|---|\n");
            traits().forEach(trait -> table.append(row(trait.getKey(), stores, trait.getValue())));
            for (var ability : StoreAbility.values()) {
                table.append(row(ability.label(), stores, store -> yesOrNo(ability.isIn(store))));
            }

            assertThat(Files.readString(PAGE)).contains(table);
        }
    }

    @Test
    void encryptingStoreHasTheAbilitiesOfTheStoreInside() {
        var ring = EncryptionKeyRing.of("a", new byte[32]);
        try (var sqlite = JdbcStore.sqlite(directory.resolve("refrain.db"))) {
            assertThat(StoreAbility.of(EncryptingStore.around(sqlite, ring)))
                    .containsExactlyInAnyOrder(StoreAbility.values());
            assertThat(StoreAbility.of(EncryptingStore.around(new MemoryStore(), ring)))
                    .isEqualTo(StoreAbility.of(new MemoryStore()));
        }
    }

    private static List<Map.Entry<String, Function<Store, String>>> traits() {
        return List.of(
                Map.entry("correct", store -> yesOrNo(store.traits().correct())),
                Map.entry("durable", store -> yesOrNo(store.traits().durable())),
                Map.entry("clock", store -> store.traits().clock().name()),
                Map.entry(
                        "largest batch (rows)",
                        store -> "" + store.traits().limits().batchRows()),
                Map.entry(
                        "batches under way at once",
                        store -> "" + store.traits().limits().concurrentBatches()),
                Map.entry(
                        "largest payload (bytes)",
                        store -> "" + store.traits().limits().payloadBytes()));
    }

    private static String row(String what, List<Store> stores, Function<Store, String> value) {
        return stores.stream().map(value).collect(Collectors.joining(" | ", "| " + what + " | ", " |\n"));
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
