package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.sql.SqlScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlTextFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** SQL is written once: in a dialect's folder is only what no other dialect says in the same way. */
class SqlTextFilesTest {

    private static final Path FOLDERS = Path.of("src/main/resources/dev/refrain/store/jdbc");

    private static final List<String> DIALECTS = DialectRegistry.known();

    /** A word as short as this is no statement: two dialects may have it, where a third one has another. */
    private static final int WORD = 60;

    @Test
    void noTwoDialectsSayTheSame() {
        var texts = DIALECTS.stream().collect(Collectors.toMap(dialect -> dialect, SqlTextFilesTest::texts));
        for (var dialect : DIALECTS) {
            for (var other : DIALECTS.subList(0, DIALECTS.indexOf(dialect))) {
                var both = new TreeSet<>(texts.get(dialect).keySet());
                both.retainAll(texts.get(other).keySet());
                assertThat(both)
                        .as("texts that %s and %s have in common belong into the folder 'shared'", dialect, other)
                        .isNotEmpty()
                        .noneMatch(name -> texts.get(dialect)
                                        .get(name)
                                        .equals(texts.get(other).get(name))
                                && texts.get(dialect).get(name).length() > WORD);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("DIALECTS")
    void noDialectHidesASharedText(String dialect) {
        var folders = DialectRegistry.named(dialect).folders();
        var seen = new HashMap<String, String>();
        for (var folder : folders) {
            var texts = texts(folder);
            assertThat(texts)
                    .as("a text of %s that is never read would be changed in vain", folder)
                    .doesNotContainKeys(seen.keySet().toArray(String[]::new));
            seen.putAll(texts);
        }
    }

    /** A word that a dialect does not say would be noticed only when its statement is run first. */
    @ParameterizedTest
    @FieldSource("DIALECTS")
    void everyTextIsWholeInEveryDialect(String dialect) {
        var scripts = new SqlScriptLibrary(DialectRegistry.named(dialect), "");
        var all = new HashMap<String, String>();
        DialectRegistry.named(dialect).folders().forEach(folder -> all.putAll(texts(folder)));
        all.forEach((name, text) -> {
            if (!text.contains("{argument}")) {
                assertThat(scripts.named(name).statements())
                        .as(name)
                        .noneMatch(statement -> statement.sql().contains("{")
                                || statement.parameters().contains("argument"));
            }
        });
    }

    @Test
    void rowsOfABatchAreBoundAsTheDialectBindsThem() {
        assertThat(sql("postgresql", "ledger_own_entry"))
                .contains("FROM unnest(?::text[], ?::text[], ?::bigint[]) AS a (ledger, key, amount) WHERE");
        assertThat(sql("sqlite", "ledger_own_entry"))
                .contains("FROM (SELECT ? AS ledger, ? AS key, ? AS amount) AS a WHERE");
        assertThat(sql("mysql", "ledger_own_entry"))
                .contains("FROM (SELECT UNHEX(j.`ledger`) AS `ledger`, UNHEX(j.`key`) AS `key`, j.`amount` AS `amount`"
                        + " FROM JSON_TABLE(?, '$[*]' COLUMNS (`ledger` MEDIUMTEXT PATH '$.ledger' ERROR ON ERROR,");
    }

    @Test
    void argumentsMayHoldOtherTexts() {
        assertThat(sql("postgresql", "dead_letter_head"))
                .contains("(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS seen");
        assertThat(sql("sqlite", "dead_letter_head"))
                .contains("(CAST(round(unixepoch('subsec') * 1000) AS INTEGER)) * 1000 AS seen");
    }

    @Test
    void missingTextIsNamed() {
        var scripts = new SqlScriptLibrary(DialectRegistry.named("sqlite"), "");
        assertThatThrownBy(() -> scripts.named("no_such_text"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no_such_text")
                .hasMessageContaining("sqlite");
    }

    private static String sql(String dialect, String name) {
        return new SqlScriptLibrary(DialectRegistry.named(dialect), "")
                .named(name)
                .statements()
                .getFirst()
                .sql();
    }

    /** By name, without comments and in one line. */
    private static Map<String, String> texts(String folder) {
        var collections = SqlTextFiles.collectionsOf(folder);
        var found = new HashMap<String, String>();
        collections.forEach(file -> found.putAll(SqlTextFiles.collection(folder, file)));
        try (var files = Files.list(FOLDERS.resolve(folder))) {
            files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".sql"))
                    .map(file -> file.substring(0, file.length() - ".sql".length()))
                    .filter(name -> !collections.contains(name))
                    .forEach(name -> assertThat(found.put(name, read(folder, name)))
                            .as("%s/%s is a file and a part of a collection", folder, name)
                            .isNull());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.replaceAll((name, text) ->
                SqlScript.withoutComments(text).replaceAll("\\s+", " ").strip());
        return found;
    }

    private static String read(String folder, String name) {
        try {
            return Files.readString(FOLDERS.resolve(folder).resolve(name + ".sql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
