package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.SweepResult;
import dev.refrain.store.outbox.OutboxStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scripts of one dialect by name. In a text {@code {name}} stands for another text or for one of the constants below,
 * {@code {name(argument)}} for one with its {@code {argument}} filled in, and {@code {rows(column type, …)}} for the rows of a batch.
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

    private static final Pattern INCLUDED = Pattern.compile("\\{([a-z_]+)(?:\\(([^{}]*)\\))?}");
    private static final String ARGUMENT = "{argument}";

    /** Text that is replaced by the name of the tables' database, where that is known. */
    private static final String DATABASE = "database";

    /** Names of ours, but not in quotes: there they are looked for in a catalogue. */
    private static final Pattern OURS = Pattern.compile(
            "(?<!')\\b(refrain_(?:record|payload|attempt|attention|audit|meta|waiter|operation|step|state|fence|digest|ledger(?:_entry)?|outbox(?:_past|_watch)?))\\b");

    private static final Map<String, String> CONSTANTS = Map.of(
            "after_completion", Long.toString(ParameterizedScript.micros(Retention.AFTER_COMPLETION)),
            "reaper_lock", Long.toString(LOCK_SPACE + 1),
            "migration_lock", Long.toString(LOCK_SPACE + 2),
            "outbox_lock", Long.toString(LOCK_SPACE + (1L << 32)),
            "attempts_kept", Integer.toString(ClaimAttempt.KEPT),
            "outbox_awake", Long.toString(ParameterizedScript.micros(OutboxStore.ACTIVE_POLLING_PERIOD)),
            "held_listed", Integer.toString(SweepResult.MAX_LISTED),
            "small_table", Long.toString(32L << 20));

    private final Dialect dialect;
    private final String schema;
    private final String place;
    private final SqlTextFiles texts;
    private final Map<String, SqlScript> parsed = new ConcurrentHashMap<>();
    private final Map<List<Object>, SqlScript.SqlStatement> pipelined = new ConcurrentHashMap<>();

    /** @param schema where the tables are; empty to leave it to the connection */
    public SqlScriptLibrary(Dialect dialect, String schema) {
        this(dialect, schema, schema);
    }

    private SqlScriptLibrary(Dialect dialect, String schema, String place) {
        this.dialect = dialect;
        this.schema = schema;
        this.place = place;
        this.texts = new SqlTextFiles(dialect.folders());
    }

    /**
     * Returns scripts for the tables that a connection finds now, or would make. They mean these tables in every session, also in one that
     * has moved to another schema or database: work may do so, and a pool may hand such a session out again.
     *
     * @param schema the schema of the store's setting; empty for the connection's own
     */
    public static SqlScriptLibrary forTablesOf(Connection connection, Dialect dialect, String schema)
            throws SQLException {
        return new SqlScriptLibrary(dialect, schema, schema.isEmpty() ? dialect.placeOfTables(connection) : schema);
    }

    public Dialect dialect() {
        return dialect;
    }

    public String schema() {
        return schema;
    }

    /** Returns the schema or the database of the tables; empty if the connection decides. */
    public String place() {
        return place;
    }

    /** @param name of a text, see {@link SqlTextFiles} */
    public SqlScript named(String name) {
        return parsed.computeIfAbsent(name, n -> SqlScript.parse(n, inSchema(expanded(texts.text(n)))));
    }

    /**
     * The named scripts as one text, which goes to the database in one round trip, with something to be run first; always
     * the same object, because the driver looks its statements up by their text.
     */
    public SqlScript.SqlStatement pipelined(String first, String... names) {
        return pipelined.computeIfAbsent(
                List.of(first, List.of(names)), key -> SqlScript.pipelined(first, scripts(names)));
    }

    private List<SqlScript> scripts(String... names) {
        return Stream.of(names).map(this::named).toList();
    }

    /** The whole text of a migration, comments and all. */
    public String migration(String file) {
        return inSchema(texts.text("migrations/" + file));
    }

    /** From the inside out, so that an argument is whole before it is filled in. */
    private String expanded(String text) {
        String before;
        String after = SqlScript.withoutComments(text);
        do {
            before = after;
            after = INCLUDED.matcher(before)
                    .replaceAll(found -> Matcher.quoteReplacement(included(found.group(1), found.group(2))));
        } while (!after.equals(before));
        return after;
    }

    private String included(String name, @Nullable String argument) {
        if (name.equals(BatchRows.ROWS) || name.equals(BatchRows.PICKED)) {
            return BatchRows.of(dialect, name, Objects.requireNonNull(argument, "rows without columns"));
        }
        String constant = CONSTANTS.get(name);
        if (constant != null) {
            return constant;
        }
        if (name.equals(DATABASE) && !place.isEmpty()) {
            return "X'" + HexFormat.of().formatHex(place.getBytes(StandardCharsets.UTF_8)) + "'";
        }
        String text = SqlScript.withoutComments(texts.text(name));
        return expanded(argument == null ? text : text.replace(ARGUMENT, argument));
    }

    private String inSchema(String sql) {
        return place.isEmpty()
                ? sql
                : OURS.matcher(sql).replaceAll(Matcher.quoteReplacement(dialect.quoted(place)) + ".$1");
    }
}
