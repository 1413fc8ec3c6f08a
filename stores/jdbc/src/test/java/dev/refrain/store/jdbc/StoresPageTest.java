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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The table of stores and abilities in {@code docs/stores.md} is what the stores say of themselves. */
class StoresPageTest {

    private static final Path PAGE = Path.of("../../docs/stores.md");

    @TempDir
    Path directory;

    @Test
    void columnsAreWhatTheStoresSayOfThemselves() throws IOException {
        try (var memory = new MemoryStore();
                var sqlite = JdbcStore.sqlite(directory.resolve("refrain.db"));
                var postgres = JdbcStore.on(TestDatabases.freshPostgres())) {
            assertThat(column("memory")).containsExactlyElementsOf(described(memory));
            assertThat(column("SQLite")).containsExactlyElementsOf(described(sqlite));
            assertThat(column("PostgreSQL")).containsExactlyElementsOf(described(postgres));
        }
    }

    @Test
    @EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
    void columnOfMariadbIsWhatTheStoreSaysOfItself() throws IOException {
        try (var mysql =
                JdbcStore.on(MariadbServer.dataSource(MariadbServer.shared().freshDatabase()))) {
            assertThat(column("MariaDB, MySQL")).containsExactlyElementsOf(described(mysql));
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

    private static List<String> described(Store store) {
        var rows = new ArrayList<String>();
        traits().forEach(trait ->
                rows.add(trait.getKey() + ": " + trait.getValue().apply(store)));
        for (var ability : StoreAbility.values()) {
            rows.add(ability.label() + ": " + yesOrNo(ability.isIn(store)));
        }
        return rows;
    }

    /** Each row's name and its cell under that head. */
    private static List<String> column(String head) throws IOException {
        var table = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith("| | memory |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> List.of(line.split("\\|", -1)))
                .toList();
        int place = table.getFirst().indexOf(" " + head + " ");
        return table.stream()
                .skip(2)
                .map(cells -> cells.get(1).strip() + ": " + cells.get(place).strip())
                .toList();
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
