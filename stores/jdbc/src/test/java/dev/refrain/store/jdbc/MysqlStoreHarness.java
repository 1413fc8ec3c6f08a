package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Stores in one database of MariaDB or MySQL, which is emptied for each test. */
final class MysqlStoreHarness extends JdbcStoreHarness {

    private static final List<String> TABLES = List.of(
            "refrain_record",
            "refrain_payload",
            "refrain_attempt",
            "refrain_attention",
            "refrain_audit",
            "refrain_outbox",
            "refrain_outbox_past",
            "refrain_ledger_entry",
            "refrain_ledger",
            "note");

    MysqlStoreHarness(DataSource source, UnaryOperator<Store> around) {
        super(source, around);
    }

    @Override
    String earlier(String column, long micros) {
        return "CASE WHEN " + column + " = 9223372036854775807 THEN " + column + " ELSE " + column + " - " + micros
                + " END";
    }

    @Override
    void clear() {
        // To truncate takes longer: it makes a file anew.
        TABLES.forEach(table -> execute("DELETE FROM " + table));
        execute("DELETE FROM refrain_meta WHERE name <> 'schema'");
    }
}
