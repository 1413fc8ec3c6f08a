package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Migrates the tables to the version of this code, and rejects tables that it must not use.
 *
 * <p>Tables may be newer than the code if they allow code of its version: instances of two versions run side by side during a
 * rollout, and the older version starts again when the rollout is undone. See {@code docs/decisions/0019-oldest-reader.md}.
 */
public final class SchemaMigrator {

    /** Migrations in order; the first leads to version 1. */
    public static final List<String> FILES = List.of(
            "V1__records",
            "V2__outbox",
            "V3__ledger",
            "V4__dead_letters",
            "V5__oldest_reader",
            "V6__waiters",
            "V7__explanations",
            "V8__kept_requests",
            "V9__subjects",
            "V10__clock");

    public static final int LATEST = FILES.size();

    /** Oldest reader after the last of these migrations: the oldest version whose code may use the tables of {@link #LATEST}. */
    public static final int OLDEST_READER = 7;

    /** Tables of all versions, each of which a store needs. */
    public static final List<String> TABLES = List.of(
            "refrain_record",
            "refrain_payload",
            "refrain_attempt",
            "refrain_attention",
            "refrain_audit",
            "refrain_meta",
            "refrain_waiter",
            "refrain_operation",
            "refrain_step",
            "refrain_outbox",
            "refrain_outbox_past",
            "refrain_outbox_watch",
            "refrain_ledger",
            "refrain_ledger_entry");

    private static final ParameterizedScript<Boolean> MISSING_PRIVILEGES =
            ParameterizedScript.<Boolean>script("missing_privileges").flag("writes", writes -> writes);
    private static final ParameterizedScript<Boolean> ELSEWHERE = ParameterizedScript.script("elsewhere");
    private static final System.Logger LOG = System.getLogger(SchemaMigrator.class.getName());

    private final SqlSession session;
    private final SqlScriptLibrary scripts;
    private final List<String> files;
    private final boolean writes;

    /**
     * Creates a migrator.
     *
     * @param files the migrations that the code knows, in order
     * @param writes whether to reject a user that may not write records
     */
    public SchemaMigrator(SqlSession session, List<String> files, boolean writes) {
        this.session = session;
        this.scripts = session.scripts();
        this.files = List.copyOf(files);
        this.writes = writes;
    }

    /** Migrates missing or older tables; leaves newer ones unchanged, and rejects those that this code must not use. */
    public void migrate() throws SQLException {
        explainingGrants(this::migrateTables);
    }

    /** Rejects tables that are missing, older, or too new for this code. */
    public void check() throws SQLException {
        explainingGrants(this::checkTables);
    }

    /** Part of the preparation. */
    @FunctionalInterface
    private interface Preparation {
        void run() throws SQLException;
    }

    /** Adds the exact grants to the refusal of a user that lacks them. */
    private void explainingGrants(Preparation preparation) throws SQLException {
        try {
            preparation.run();
        } catch (SQLException e) {
            if (!scripts.dialect().failures().isMissingPrivilege(e)) {
                throw e;
            }
            throw MissingGrants.explain(session, e);
        }
    }

    private void migrateTables() throws SQLException {
        var before = TableVersion.read(session);
        if (before.isMissing()) {
            considerTablesElsewhere();
        }
        if (before.version() < known()) {
            try {
                for (var statement : scripts.named("migration_begin").statements()) {
                    session.execute(statement.sql());
                }
                apply();
                session.execute("COMMIT");
            } catch (SQLException | RuntimeException e) {
                rollBack(e);
                throw e;
            }
        }
        checkTables();
    }

    private void checkTables() throws SQLException {
        var found = TableVersion.read(session);
        String script = "`refrain schema --dialect " + scripts.dialect().name() + "`";
        String shipped = "dev/refrain/db/" + scripts.dialect().name();
        if (found.isMissing()) {
            throw refused("Refrain's tables are missing" + where()
                    + ": let JdbcStore migrate, run `refrain migrate`, or apply the output of " + script
                    + (SchemaMigrator.class.getResource("/" + shipped + "/R__refrain_tables.sql") == null
                            ? "."
                            : ". Flyway and Liquibase find it in classpath:" + shipped + "."));
        }
        if (found.version() < known()) {
            throw refused("Refrain's tables" + where() + " have version " + found.version() + " and this code needs "
                    + known() + ": let JdbcStore migrate, run `refrain migrate`, or apply the later part of " + script
                    + ".");
        }
        if (!found.isUsableBy(known())) {
            throw refused("Refrain's tables" + where() + " have version " + found.version()
                    + ", which needs code of version " + found.oldestReader() + " or later, and this code knows only "
                    + known() + ": upgrade Refrain in this application, or restore a backup from before the upgrade.");
        }
        requirePrivileges();
        if (found.version() > known()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    () -> "Refrain's tables" + where() + " have version " + found.version() + ", newer than version "
                            + known() + " of this code. They allow code of version " + found.oldestReader()
                            + " and later: it works with them as they are.");
        }
    }

    /** Another schema with tables of Refrain, and the one of this connection. */
    private record OtherSchema(String name, String here, boolean chosen) {}

    /**
     * Considers that this store begins with no keys although there are some in another schema. Where the search path of the user or of the
     * database led here, it was changed, and every retry would run again: rejected. Where the store's setting or the connection names the
     * schema, there may be a store for each application: a warning.
     */
    private void considerTablesElsewhere() throws SQLException {
        var others =
                session
                        .run(ELSEWHERE, true, c -> new OtherSchema(c.text("name"), c.text("here"), c.flag("chosen")))
                        .stream()
                        // Those here were created by another instance that starts at the same time.
                        .filter(found -> !found.name().equals(here(found)))
                        .toList();
        if (others.isEmpty()) {
            return;
        }
        String there = others.stream().map(OtherSchema::name).collect(Collectors.joining(", "));
        String first = others.getFirst().name();
        if (scripts.schema().isEmpty() && !others.getFirst().chosen()) {
            String here = here(others.getFirst());
            throw refused("Refrain's tables are not in " + here + ", the first schema of the search path, but in "
                    + there + ": a store in " + here + " would begin without their keys. Set the schema of the store"
                    + " (JdbcStoreBuilder.schema, refrain.store.schema) to " + first
                    + " to use them, or to " + here + " to begin anew.");
        }
        String here = here(others.getFirst());
        LOG.log(
                System.Logger.Level.WARNING,
                () -> "Refrain begins without keys in the schema " + here + ", and there are tables of Refrain in "
                        + there + ". If those are this application's, retries of their keys run again: stop it, and set"
                        + " the schema of the store (JdbcStoreBuilder.schema, refrain.store.schema) to " + first + ".");
    }

    private String here(OtherSchema found) {
        return scripts.place().isEmpty() ? found.here() : scripts.place();
    }

    /** Rejects a user that may write records but not all tables beside them: its completions would fail after the work. */
    private void requirePrivileges() throws SQLException {
        if (scripts.dialect().commitsSchemaChanges()) {
            var tables = new PrivilegeProbe(session).tablesWithoutPrivilege(writes);
            if (!tables.isEmpty()) {
                throw refused("The database user " + MissingGrants.userWithHost(session)
                        + " may not use all of Refrain's tables" + where() + ". Run as an administrator: "
                        + MissingGrants.use(session, tables));
            }
        }
        var missing = session.run(MISSING_PRIVILEGES, writes, c -> List.of(c.text("name"), c.text("owner")));
        if (!missing.isEmpty()) {
            String user = missing.getFirst().getLast();
            throw refused("The database user " + user + " may not use all of Refrain's tables" + where()
                    + ". Run as their owner: GRANT SELECT, INSERT, UPDATE, DELETE ON "
                    + missing.stream().map(List::getFirst).collect(Collectors.joining(", ")) + " TO "
                    + scripts.dialect().quoted(user) + ";");
        }
    }

    private int known() {
        return files.size();
    }

    private void apply() throws SQLException {
        createSchema();
        int before =
                Math.max(TableVersion.read(session).version(), scripts.dialect().firstSchemaVersion() - 1);
        for (int version = before; version < known(); version++) {
            var migration = SqlScript.parse(files.get(version), scripts.migration(files.get(version)));
            for (var statement : migration.statements()) {
                session.execute(statement.sql());
            }
        }
    }

    /**
     * Creates the schema if it is missing. Checked first, because a user without the permission fails even with "if not exists".
     */
    private void createSchema() throws SQLException {
        String schema = scripts.schema();
        if (!schema.isEmpty()) {
            try (var found = session.connection().getMetaData().getSchemas(null, schema)) {
                if (!found.next()) {
                    session.execute("CREATE SCHEMA " + scripts.dialect().quoted(schema));
                }
            }
        }
    }

    private String where() {
        return scripts.schema().isEmpty() ? " in this database" : " in the schema " + scripts.schema();
    }

    private void rollBack(Exception because) {
        try {
            session.execute("ROLLBACK");
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private static StoreException refused(String message) {
        return StoreException.permanent(message, Effect.NONE, new IllegalStateException("schema version"));
    }
}
