package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Retention;
import dev.refrain.store.outbox.OutboxStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The named SQL files of one dialect. {@code {name}} stands for another file, or for one of the constants below.
 *
 * <p>Safe for use by many threads.
 */
public final class SqlScriptLibrary {

    /** Of no meaning but to be Refrain's own among the advisory locks of a database. */
    public static final long LOCK_SPACE = 0x5EF4_A117_0000_0000L;

    /** The advisory lock that a transaction takes for a key. */
    public static long lockOf(KeyHash lookup) {
        return lookup.low() ^ LOCK_SPACE;
    }

    private static final char NUMBER = '#';
    private static final Pattern INCLUDED = Pattern.compile("\\{([a-z_]+)}");
    private static final Pattern OURS = Pattern.compile(
            "\\b(refrain_(?:record|payload|attention|audit|meta|state|fence|digest|ledger(?:_entry)?|outbox(?:_past|_watch)?))\\b");
    private static final Map<String, String> CONSTANTS = Map.of(
            "after_completion", Long.toString(ParameterizedScript.micros(Retention.AFTER_COMPLETION)),
            "reaper_lock", Long.toString(LOCK_SPACE + 1),
            "migration_lock", Long.toString(LOCK_SPACE + 2),
            "outbox_lock", Long.toString(LOCK_SPACE + (1L << 32)),
            "outbox_awake", Long.toString(ParameterizedScript.micros(OutboxStore.ACTIVE_POLLING_PERIOD)),
            "small_table", Long.toString(32L << 20));

    private final Dialect dialect;
    private final String schema;
    private final Map<String, SqlScript> parsed = new ConcurrentHashMap<>();
    private final Map<List<Object>, SqlScript.SqlStatement> pipelined = new ConcurrentHashMap<>();

    /** @param schema where the tables are; empty to leave it to the connection */
    public SqlScriptLibrary(Dialect dialect, String schema) {
        this.dialect = dialect;
        this.schema = schema;
    }

    public Dialect dialect() {
        return dialect;
    }

    public String schema() {
        return schema;
    }

    /** @param name of a file; with {@code #7} behind it, its savepoints have that number */
    public SqlScript named(String name) {
        int number = name.indexOf(NUMBER);
        return number < 0
                ? parsed.computeIfAbsent(name, n -> SqlScript.parse(n, inSchema(included(n))))
                : named(name.substring(0, number)).numbered(name.substring(number + 1));
    }

    /**
     * The named scripts as one text, which goes to the database in one round trip, with something to be run first; always
     * the same object, because the driver looks its statements up by their text. One with a number is used once.
     */
    public SqlScript.SqlStatement pipelined(String first, String... names) {
        if (names[0].indexOf(NUMBER) >= 0) {
            return SqlScript.pipelined(first, scripts(names));
        }
        return pipelined.computeIfAbsent(
                List.of(first, List.of(names)), key -> SqlScript.pipelined(first, scripts(names)));
    }

    private List<SqlScript> scripts(String... names) {
        return Stream.of(names).map(this::named).toList();
    }

    /** The whole text of a migration, comments and all. */
    public String migration(String file) {
        return inSchema(text(dialect, "migrations/" + file));
    }

    public static String text(Dialect dialect, String file) {
        String resource = "/dev/refrain/store/jdbc/" + dialect.name() + "/" + file + ".sql";
        try (InputStream in = SqlScriptLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The SQL file " + resource + " is missing from this jar.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + resource, e);
        }
    }

    private String included(String name) {
        String constant = CONSTANTS.get(name);
        if (constant != null) {
            return constant;
        }
        return INCLUDED.matcher(SqlScript.withoutComments(text(dialect, name)))
                .replaceAll(include -> Matcher.quoteReplacement(included(include.group(1))));
    }

    private String inSchema(String sql) {
        return schema.isEmpty()
                ? sql
                : OURS.matcher(sql).replaceAll(Matcher.quoteReplacement(dialect.quoted(schema)) + ".$1");
    }
}
