package dev.refrain.crash;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Two ways to take an order without Refrain, both often seen. */
final class BrokenShopTrial extends ShopTrial {

    enum Mistake {
        /** A crash after the charge leaves nothing that knows of it: the retry charges again. */
        CHARGES_BEFORE_IT_RECORDS,
        /** A crash after the record leaves an order that looks done: the retry charges never. */
        RECORDS_DONE_BEFORE_IT_CHARGES
    }

    private final Mistake mistake;

    BrokenShopTrial(DataSource database, Mistake mistake) {
        super(database);
        this.mistake = mistake;
    }

    @Override
    public CrashableApplication start(CrashInjector life) {
        var source = life.wrap(database);
        return new CrashableApplication() {
            @Override
            public void request() throws Exception {
                if (count(source, "orders") > 0) {
                    return;
                }
                switch (mistake) {
                    case CHARGES_BEFORE_IT_RECORDS -> {
                        charge();
                        record();
                    }
                    case RECORDS_DONE_BEFORE_IT_CHARGES -> {
                        record();
                        charge();
                    }
                }
            }

            @Override
            public void recover() throws Exception {
                request();
            }

            private void charge() throws Exception {
                life.foreignCall("charge", bank::charge);
            }

            private void record() throws SQLException {
                try (var connection = source.getConnection()) {
                    connection.setAutoCommit(false);
                    execute(connection, "INSERT INTO orders VALUES (?, 'charged')", key);
                    connection.commit();
                }
            }
        };
    }

    @Override
    public void check(EffectChecks checks) throws SQLException {
        checks.once("order", count("orders"));
        checks.once("charge", bank.charges());
    }
}
