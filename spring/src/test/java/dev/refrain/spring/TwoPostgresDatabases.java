package dev.refrain.spring;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Two PostgreSQL databases, each with its pool and its manager: {@code orders}, the default, and {@code bulk}. */
class TwoPostgresDatabases {

    static final String ON_DATA_SOURCE = "refrain.stores.bulk.data-source=bulk";

    /** Returns settings with which the store {@code bulk} is in this database. */
    static List<String> settings(String bulkUrl, String... more) {
        return Stream.concat(
                        Stream.of("test.bulk-url=" + bulkUrl, "refrain.stores.bulk.http-namespace=bulk"),
                        Stream.of(more))
                .toList();
    }

    @Bean
    @Primary
    DataSource orders(@Value("${spring.datasource.url}") String url) {
        return pool(url);
    }

    @Bean
    DataSource bulk(@Value("${test.bulk-url}") String url) {
        return pool(url);
    }

    private static DataSource pool(String url) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setConnectionTimeout(url.contains(":1/") ? 250 : 30_000);
        return pool;
    }

    @Bean
    @Primary
    PlatformTransactionManager ordersTransactions(@Qualifier("orders") DataSource orders) {
        return new JdbcTransactionManager(orders);
    }

    @Bean
    PlatformTransactionManager bulkTransactions(@Qualifier("bulk") DataSource bulk) {
        return new JdbcTransactionManager(bulk);
    }
}
