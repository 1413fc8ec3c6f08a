package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.List;

/** Brings the tables to the version this code knows, or says in one sentence why it cannot. */
public final class SchemaMigrator {

    /** In order; the first leads to version 1. */
    public static final List<String> FILES = List.of("V1__records", "V2__outbox", "V3__ledger", "V4__dead_letters");

    public static final int LATEST = FILES.size();

    private static final int NOTHING_THERE = 0;
    private static final ParameterizedScript<Boolean> PRESENT = ParameterizedScript.script("present");
    private static final ParameterizedScript<Boolean> VERSION = ParameterizedScript.script("version");

    private final SqlSession session;
    private final SqlScriptLibrary scripts;

    public SchemaMigrator(SqlSession session) {
        this.session = session;
        this.scripts = session.scripts();
    }

    /** Migrates what is missing or older, refuses what is newer. */
    public void migrate() throws SQLException {
        if (version() < LATEST) {
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
        check();
    }

    /** Refuses whatever is not exactly what this code knows. */
    public void check() throws SQLException {
        int found = version();
        String script = "`refrain schema --dialect " + scripts.dialect().name() + "`";
        if (found == NOTHING_THERE) {
            throw refused("Refrain's tables are missing" + where()
                    + ": let JdbcStore migrate, run `refrain migrate`, or apply" + " the output of " + script + ".");
        }
        if (found < LATEST) {
            throw refused("Refrain's tables" + where() + " have version " + found + " and this code needs " + LATEST
                    + ": let JdbcStore migrate, run `refrain migrate`, or apply the later part of " + script + ".");
        }
        if (found > LATEST) {
            throw refused("Refrain's tables" + where() + " have version " + found + " and this code knows only "
                    + LATEST + ": upgrade Refrain in this application.");
        }
    }

    private void apply() throws SQLException {
        createSchema();
        for (int version = version(); version < LATEST; version++) {
            var migration = SqlScript.parse(FILES.get(version), scripts.migration(FILES.get(version)));
            for (var statement : migration.statements()) {
                session.execute(statement.sql());
            }
        }
    }

    /** Looked for first: who may not create schemas may not even ask for one "if not exists". */
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

    private int version() throws SQLException {
        boolean present = session.run(PRESENT, true, c -> c.flag("present")).getFirst();
        if (!present) {
            return NOTHING_THERE;
        }
        var found = session.run(VERSION, true, c -> (int) c.number("version"));
        return found.isEmpty() ? NOTHING_THERE : found.getFirst();
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
