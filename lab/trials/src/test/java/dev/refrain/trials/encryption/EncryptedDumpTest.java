package dev.refrain.trials.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Outcome;
import dev.refrain.trials.upgrades.EmptyDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A dump of every table of an encrypted store, after every way to fail, shows what docs/encryption.md lists and nothing else. */
class EncryptedDumpTest {

    private static final Path PAGE = Path.of("../../docs/encryption.md");
    private static final String OF_KEY_ID = "| id of the encryption key |";
    /** Reasons that a store words by itself: states, points and steps. */
    private static final Pattern WORDS_OF_STORE =
            Pattern.compile("released|Its lease ended and nobody completed it\\..*|It was taken up [0-9]+ times .*");

    /** Names of the keys themselves, beside other names. */
    private static final String KEY_NAMES = "refrain_meta.name";

    private static final Pattern COLUMN = Pattern.compile("`(refrain_[a-z_]+\\.[a-z_]+)`");

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("dev.refrain.trials.upgrades.EmptyDatabase#tested")
    void dumpOfAnEncryptedStoreShowsOnlyWhatTheDocsList(String dialect) throws Exception {
        var words = new PlantedWords();
        try (var database = EmptyDatabase.of(dialect, directory);
                var shop = PlantedShop.on(database.source(), words, "instance");
                var connection = database.source().getConnection()) {
            shop.runAndFailInEveryWay();

            var dump = dumpWhileSomebodyWaits(shop, connection);

            assertThat(dump.emptyTables()).as("tables without rows").isEmpty();
            assertThat(words.secrets())
                    .hasSizeGreaterThan(100)
                    .allSatisfy(word -> assertThat(dump.columnsWith(word))
                            .as("columns with %s", word)
                            .isEmpty());
            assertThat(dump.columnsWith(PlantedWords.ERASED)).as("erased").isEmpty();
            assertListed(dump, PlantedWords.NAME, row -> !row.startsWith(OF_KEY_ID));
            assertListed(dump, PlantedWords.KEY_ID, row -> row.startsWith(OF_KEY_ID));
            assertThat(listed(row -> row.startsWith(OF_KEY_ID)))
                    .filteredOn(column -> !column.equals(KEY_NAMES))
                    .allSatisfy(column -> assertThat(dump.valuesWithout(column, PlantedWords.KEY_ID))
                            .as("values of %s that are not encrypted", column)
                            .allMatch(value -> column.endsWith("reason")
                                    && WORDS_OF_STORE.matcher(value).matches()));
        }
    }

    /** Fails for a column in the clear that is not listed, and for a listed one in which no word was seen. */
    private static void assertListed(DumpedColumns dump, String word, Predicate<String> rows) throws IOException {
        var listed = listed(rows);
        listed.retainAll(dump.columns());
        assertThat(dump.columnsWith(word))
                .as("columns with %s…, as docs/encryption.md lists them", word)
                .containsExactlyElementsOf(listed);
    }

    /** Who waits for another instance is in a table of its own, where the database can wake it. */
    private static DumpedColumns dumpWhileSomebodyWaits(PlantedShop shop, Connection connection) throws Exception {
        var run = new PlantedOperations(shop).runForAnother();
        try (var other = PlantedShop.on(shop.source(), shop.words(), "another instance")) {
            var waiting = CompletableFuture.supplyAsync(() -> new PlantedOperations(other).waitForAnother());
            PlantedShop.await()
                    .until(() -> !DumpedColumns.of(connection).emptyTables().contains("refrain_waiter"));
            var dump = DumpedColumns.of(connection);
            run.complete(Outcome.Answer.of(204, new byte[0]));
            waiting.join();
            return dump;
        }
    }

    /** Returns the columns of the table in the docs, of all dialects. */
    private static TreeSet<String> listed(Predicate<String> rows) throws IOException {
        String section = Files.readString(PAGE).split("## What stays in the clear|## Tools")[1];
        return section.lines()
                .filter(line -> line.startsWith("|"))
                .filter(rows)
                .flatMap(row -> COLUMN.matcher(row).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
