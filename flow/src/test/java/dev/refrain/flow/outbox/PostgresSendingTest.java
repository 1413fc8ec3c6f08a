package dev.refrain.flow.outbox;

import java.time.Duration;
import javax.sql.DataSource;

class PostgresSendingTest extends SendingContract {

    private final PooledPostgres postgres = new PooledPostgres();

    @Override
    DataSource database() {
        return postgres.emptied();
    }

    @Override
    String earlier(String column, Duration time) {
        return PooledPostgres.earlier(column, time);
    }

    @Override
    void release() {
        postgres.close();
    }
}
