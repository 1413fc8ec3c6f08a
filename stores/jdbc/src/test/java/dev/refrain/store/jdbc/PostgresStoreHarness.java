package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Stores in one PostgreSQL database, which is emptied for each test: making one takes longer than most tests. */
class PostgresStoreHarness extends JdbcStoreHarness {

    PostgresStoreHarness(DataSource source, UnaryOperator<Store> around) {
        super(source, around);
    }

    @Override
    String earlier(String column, long micros) {
        return column + " - interval '" + micros + " microseconds'";
    }

    @Override
    void clear() {
        execute("TRUNCATE refrain_record, refrain_payload, refrain_attention, refrain_audit, refrain_outbox,"
                + " refrain_outbox_past, refrain_ledger_entry, refrain_ledger, note");
        execute("DELETE FROM refrain_meta WHERE name <> 'schema'");
    }
}
