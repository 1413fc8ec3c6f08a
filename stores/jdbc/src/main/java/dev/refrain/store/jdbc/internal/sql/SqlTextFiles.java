package dev.refrain.store.jdbc.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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

    /** Collections of the shared folder. */
    public static final List<String> SHARED_COLLECTIONS =
            List.of("fragments", "clock", "schema", "records", "ledger", "outbox");

    /** Collection of each dialect's folder. */
    public static final String DIALECT_COLLECTION = "dialect";

    private static final Pattern HEADING = Pattern.compile("^-- name: ([a-z_]+)\n", Pattern.MULTILINE);

    private final String folder;
    private final Map<String, String> own;
    private final Map<String, String> shared = new HashMap<>();

    public SqlTextFiles(String dialect) {
        this.folder = dialect;
        this.own = collection(dialect, DIALECT_COLLECTION);
        SHARED_COLLECTIONS.forEach(file -> collection(SHARED, file).forEach((name, text) -> put(shared, name, text)));
    }

    /** The text of this name, comments and all. */
    public String text(String name) {
        return read(folder, name)
                .or(() -> Optional.ofNullable(own.get(name)))
                .or(() -> read(SHARED, name))
                .or(() -> Optional.ofNullable(shared.get(name)))
                .orElseThrow(() -> new IllegalStateException("The SQL text " + name + " is missing from this jar, for "
                        + folder + " and for all databases."));
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
