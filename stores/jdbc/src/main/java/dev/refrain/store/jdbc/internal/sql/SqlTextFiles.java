package dev.refrain.store.jdbc.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds named SQL texts of one dialect: what the dialect says itself comes before what all of them share.
 *
 * <p>A text is a file of its name, or a part of a collection in which {@code -- name: …} stands above each.
 *
 * <p>Immutable.
 */
public final class SqlTextFiles {

    /** Folder of what databases agree on. */
    public static final String SHARED = "shared";

    /** Folder of what databases with {@code ON CONFLICT} and {@code RETURNING} agree on. */
    public static final String UPSERT = "upsert";

    /** Collections of the folders that several dialects use. */
    private static final Map<String, List<String>> COLLECTIONS = Map.of(
            SHARED, List.of("fragments", "clock", "schema", "records", "ledger", "outbox"),
            UPSERT, List.of("statements"));

    /** Collections of a folder; that of a single dialect has one, its words. */
    public static List<String> collectionsOf(String folder) {
        return COLLECTIONS.getOrDefault(folder, List.of("dialect"));
    }

    private static final Pattern HEADING = Pattern.compile("^-- name: ([a-z_]+)\n", Pattern.MULTILINE);

    /** Texts of the collections of each folder, in the order in which they are searched. */
    private final Map<String, Map<String, String>> folders = new LinkedHashMap<>();

    public SqlTextFiles(List<String> folders) {
        folders.forEach(folder -> this.folders.put(folder, collections(folder)));
    }

    private static Map<String, String> collections(String folder) {
        var all = new HashMap<String, String>();
        collectionsOf(folder).forEach(file -> collection(folder, file).forEach((name, text) -> put(all, name, text)));
        return all;
    }

    /** The text of this name, comments and all. */
    public String text(String name) {
        return folders.entrySet().stream()
                .flatMap(folder ->
                        read(folder.getKey(), name)
                                .or(() -> Optional.ofNullable(folder.getValue().get(name)))
                                .stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "The SQL text " + name + " is missing from this jar: looked for in " + folders.keySet() + "."));
    }

    /**
     * The named texts of a collection.
     *
     * @throws IllegalStateException if two have one name
     */
    public static Map<String, String> collection(String folder, String file) {
        String text = read(folder, file)
                .orElseThrow(() -> new IllegalStateException(
                        "The SQL file " + folder + "/" + file + " is missing from this jar."));
        var found = new HashMap<String, String>();
        var heading = HEADING.matcher(text);
        int from = -1;
        String name = "";
        while (heading.find()) {
            put(found, name, from < 0 ? "" : text.substring(from, heading.start()));
            name = heading.group(1);
            from = heading.end();
        }
        put(found, name, from < 0 ? "" : text.substring(from));
        return found;
    }

    private static void put(Map<String, String> found, String name, String text) {
        if (!name.isEmpty() && found.put(name, text) != null) {
            throw new IllegalStateException("Two SQL texts are called " + name + ".");
        }
    }

    private static Optional<String> read(String folder, String file) {
        String resource = "/dev/refrain/store/jdbc/" + folder + "/" + file + ".sql";
        try (InputStream in = SqlTextFiles.class.getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + resource, e);
        }
    }
}
