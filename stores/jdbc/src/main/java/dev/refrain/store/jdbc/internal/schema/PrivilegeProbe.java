package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds tables that a user of MySQL or MariaDB may not use, by asking for the plans of statements: that needs the privileges of the statements, and
 * changes and locks nothing. No view of the server lists what a user has by its roles.
 */
final class PrivilegeProbe {

    private static final String RECORDS = "refrain_record";

    private final SqlSession session;
    private boolean readOnly;

    PrivilegeProbe(SqlSession session) {
        this.session = session;
    }

    /**
     * Returns the tables that lack a privilege; none on a read-only server, which is only read.
     *
     * @param writes whether to return them also for a user that may not write records, and may be meant to read only
     */
    List<String> tablesWithoutPrivilege(boolean writes) throws SQLException {
        var missing = new ArrayList<String>();
        if (mayInsert(RECORDS) || (writes && !readOnly)) {
            for (String table : MissingGrants.tablesOfDatabase()) {
                if (!mayUse(table)) {
                    missing.add(table);
                }
            }
        }
        return missing;
    }

    private boolean mayUse(String table) throws SQLException {
        return mayInsert(table) && mayUpdate(table) && mayPlan("DELETE FROM " + table + " WHERE false");
    }

    /** The rows that are inserted are read there, so that this needs two privileges. */
    private boolean mayInsert(String table) throws SQLException {
        return mayPlan("INSERT INTO " + table + " SELECT * FROM " + table + " WHERE false");
    }

    private boolean mayUpdate(String table) throws SQLException {
        String column;
        try (var statement = session.connection().createStatement();
                var none = statement.executeQuery("SELECT * FROM " + table + " WHERE false")) {
            column = session.dialect().quoted(none.getMetaData().getColumnName(1));
        }
        return mayPlan("UPDATE " + table + " SET " + column + " = " + column + " WHERE false");
    }

    private boolean mayPlan(String sql) throws SQLException {
        try {
            session.execute("EXPLAIN " + sql);
            return true;
        } catch (SQLException e) {
            var failures = session.dialect().failures();
            readOnly = failures.isReadOnly(e);
            if (failures.isMissingPrivilege(e) || readOnly) {
                return false;
            }
            throw e;
        }
    }
}
