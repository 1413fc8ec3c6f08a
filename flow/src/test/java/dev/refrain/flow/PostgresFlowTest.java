package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.PostgresServer;
import javax.sql.DataSource;

class PostgresFlowTest extends FlowContract {

    private HikariDataSource pool;

    @Override
    DataSource database() {
        var config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().freshDatabase());
        config.setMaximumPoolSize(10);
        pool = new HikariDataSource(config);
        return pool;
    }

    @Override
    void release() {
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        pool.close();
    }
}
