package dev.refrain.store.jdbc;

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
        return Dialects.known();
    }

    /**
     * The script of one database.
     *
     * @param dialect {@code postgresql} or {@code sqlite}
     * @throws IllegalArgumentException if there is no such dialect; the message lists those there are
     */
    public static SchemaScript of(String dialect) {
        var scripts = new Scripts(Dialects.named(dialect), "");
        return new SchemaScript(
                dialect,
                Migrations.LATEST,
                Migrations.FILES.stream().map(scripts::migration).collect(Collectors.joining("\n")));
    }
}
