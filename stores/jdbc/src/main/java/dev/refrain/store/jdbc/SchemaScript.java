package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SQL that creates Refrain's tables, for applications that migrate their databases themselves.
 * {@snippet :
 * String ddl = SchemaScript.of("postgresql").text();
 * }
 *
 * <p>Immutable.
 *
 * @param dialect as given
 * @param version the schema version that the text leads to
 * @param oldestReader the oldest schema version whose code may use tables of {@code version}
 * @param text all migrations in order, with their comments
 */
public record SchemaScript(String dialect, int version, int oldestReader, String text) {

    /** Lists the dialects. */
    public static List<String> dialects() {
        return DialectRegistry.known();
    }

    /**
     * Returns the script of one database.
     *
     * @param dialect {@code postgresql}, {@code mysql} (also for MariaDB) or {@code sqlite}
     * @throws IllegalArgumentException if there is no such dialect; the message lists the existing ones
     */
    public static SchemaScript of(String dialect) {
        var scripts = new SqlScriptLibrary(DialectRegistry.named(dialect), "");
        int first = DialectRegistry.named(dialect).firstSchemaVersion();
        String title = "-- Refrain's tables for " + dialect + ": schema version " + SchemaMigrator.LATEST
                + ", oldest reader " + SchemaMigrator.OLDEST_READER + ".\n\n";
        return new SchemaScript(
                dialect,
                SchemaMigrator.LATEST,
                SchemaMigrator.OLDEST_READER,
                title
                        + SchemaMigrator.FILES.stream()
                                .skip(first - 1L)
                                .map(scripts::migration)
                                .collect(Collectors.joining("\n")));
    }
}
