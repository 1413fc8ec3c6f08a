package dev.refrain.trials.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Writes the data of this version for {@link OldDataTestBase}, once for each release:
 *
 * <pre>{@code
 * ./mvnw -q test -pl lab/trials -am -Dtest=DumpGenerationTest -Dsurefire.failIfNoSpecifiedTests=false -Drefrain.dump=1.0.0
 * }</pre>
 *
 * <p>The files go to {@code lab/trials/src/test/resources/dumps/1.0.0} and are committed. It refuses to write over files that are there: what is
 * released is frozen.
 */
@EnabledIfSystemProperty(
        named = "refrain.dump",
        matches = ".+",
        disabledReason = "It writes the data of a release: -Drefrain.dump=version")
class DumpGenerationTest {

    static final List<String> DIALECTS = EmptyDatabase.DIALECTS;

    private static final Path DUMPS = Path.of("src/test/resources/dumps");

    @TempDir
    Path directory;

    @ParameterizedTest
    @FieldSource("DIALECTS")
    void dataOfThisVersionIsWrittenAndLoadsAsItWas(String dialect) throws Exception {
        var target = DUMPS.resolve(System.getProperty("refrain.dump"));
        assertThat(target.resolve(dialect + ".sql")).doesNotExist();
        try (var database = EmptyDatabase.of(dialect, directory);
                var shop = FrozenShop.open(database)) {
            var history = new ShopHistory(database, shop);
            var facts = history.happen();
            String text = DumpWriter.text(database);
            var shape = DumpWriter.shape(database);
            history.dumped();

            Files.createDirectories(target);
            Files.writeString(target.resolve(dialect + ".sql"), text);
            Files.writeString(
                    target.resolve(dialect + ".facts"),
                    facts.entrySet().stream()
                            .map(fact -> fact.getKey() + "=" + fact.getValue() + "\n")
                            .collect(Collectors.joining()));
            shop.close();
            requireSameWhenLoaded(text, shape, dialect);
        }
    }

    private void requireSameWhenLoaded(String text, List<String> shape, String dialect) throws Exception {
        try (var again = EmptyDatabase.of(dialect, Files.createDirectory(directory.resolve("again")))) {
            try (var connection = again.source().getConnection()) {
                again.execute(connection, text);
            }
            assertThat(rows(DumpWriter.text(again))).isEqualTo(rows(text));
            assertThat(DumpWriter.shape(again)).isEqualTo(shape);
        }
    }

    private static String rows(String text) {
        return text.lines().filter(line -> !line.startsWith(OldDump.WRITTEN)).collect(Collectors.joining("\n"));
    }
}
