package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that Flyway and Liquibase apply creates the tables that the store creates itself, and can be applied again. */
class ShippedMigrationTest {

    private static final String FILE = "dev/refrain/db/postgresql/R__refrain_tables.sql";
    private static final String OBJECTS = """
            SELECT string_agg(line, chr(10) ORDER BY line) FROM (
                SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
                FROM information_schema.columns WHERE table_name LIKE 'refrain%'
                UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'refrain%'
                UNION ALL SELECT name || ' ' || version || ' ' || oldest_reader FROM refrain_meta WHERE name = 'schema') AS all_of_it
            """;

    private static String shipped() throws IOException {
        try (var file = Objects.requireNonNull(
                ShippedMigrationTest.class.getClassLoader().getResourceAsStream(FILE))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whatever is before and after the migrations is in the file; the migrations are as they are. */
    private static String expected(String shipped) {
        var scripts = new SqlScriptLibrary(DialectRegistry.named("postgresql"), "");
        var text = new StringBuilder(shipped.substring(0, shipped.indexOf("\nIF tables_version < 1 ")));
        for (int version = 1; version <= SchemaMigrator.LATEST; version++) {
            text.append("\nIF tables_version < ")
                    .append(version)
                    .append(" THEN\n")
                    .append(scripts.migration(SchemaMigrator.FILES.get(version - 1))
                            .strip())
                    .append("\nEND IF;\n");
        }
        return text.append("END\n$refrain$;\n").toString();
    }

    /** {@code -Drefrain.write=true} writes the file anew. */
    @Test
    void shippedFileIsMadeOfTheMigrations() throws IOException {
        String shipped = shipped();
        String expected = expected(shipped);
        if (Boolean.getBoolean("refrain.write")) {
            Files.writeString(Path.of("src/main/resources", FILE), expected);
        }
        assertThat(shipped)
                .as("%s differs from the migrations: run this test with -Drefrain.write=true", FILE)
                .isEqualTo(expected);
    }

    @Test
    void shippedFileCreatesWhatTheStoreCreates() throws Exception {
        var byFile = TestDatabases.freshPostgres();
        apply(byFile);
        apply(byFile);
        var byStore = TestDatabases.freshPostgres();
        JdbcStore.on(byStore).close();

        assertThat(objects(byFile)).isNotEmpty().isEqualTo(objects(byStore));
        JdbcStore.builder(byFile).migrate(false).build().close();
    }

    /** An application may move from one way to the other, at any version. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 7})
    void shippedFileUpgradesTablesOfTheStore(int version) throws Exception {
        var source = TestDatabases.freshPostgres();
        var known = List.copyOf(SchemaMigrator.FILES.subList(0, version));
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            var scripts = new SqlScriptLibrary(DialectRegistry.named("postgresql"), "");
            for (String file : known) {
                statement.execute(scripts.migration(file));
            }
        }
        apply(source);

        assertThat(SchemaVersion.of(source, "").version()).isEqualTo(SchemaMigrator.LATEST);
    }

    @Test
    void shippedFileWarnsWhereItCreatesTablesBesideOthers() throws Exception {
        var source = TestDatabases.freshPostgres();
        apply(source);
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA chosen");
            connection.setSchema("chosen");
            statement.execute(shipped());
            assertThat((Throwable) statement.getWarnings()).hasMessageContaining("in the schema chosen, and");
            statement.clearWarnings();
            statement.execute(shipped());
            assertThat((Throwable) statement.getWarnings()).as("applied again").isNull();
        }
    }

    private static void apply(DataSource source) throws SQLException, IOException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(shipped());
        }
    }

    private static String objects(DataSource source) throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(OBJECTS)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
