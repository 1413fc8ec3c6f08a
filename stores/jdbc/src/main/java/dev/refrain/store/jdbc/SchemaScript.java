package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that make Refrain's tables, for those who migrate their databases themselves.
 *
 * {@snippet :
 * String ddl = SchemaScript.of("postgresql").text();
 * }
 *
 * <p>Immutable.
 *
 * @param dialect as given
 * @param version the schema's version that the text leads to
 * @param text all migrations, one after the other, with their comments
 */
public record SchemaScript(String dialect, int version, String text) {

    /** The dialects there are. */
    public static List<String> dialects() {
        return DialectRegistry.known();
    }

    /**
     * The script of one database.
     *
     * @param dialect {@code postgresql} or {@code sqlite}
     * @throws IllegalArgumentException if there is no such dialect; the message lists those there are
     */
    public static SchemaScript of(String dialect) {
        var scripts = new SqlScriptLibrary(DialectRegistry.named(dialect), "");
        return new SchemaScript(
                dialect,
                SchemaMigrator.LATEST,
                SchemaMigrator.FILES.stream().map(scripts::migration).collect(Collectors.joining("\n")));
    }
}
