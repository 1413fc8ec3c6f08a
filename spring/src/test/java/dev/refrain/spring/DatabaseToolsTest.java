package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.PostgresServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** On an empty database an application starts with Flyway, Liquibase or JPA, whoever creates Refrain's tables. */
class DatabaseToolsTest {

    private static final List<String> SMALL = List.of(
            "spring.datasource.hikari.maximum-pool-size=5",
            "logging.level.root=warn",
            "springdoc.api-docs.enabled=false",
            "spring.jpa.open-in-view=false");

    @RestController
    static class Orders {
        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @PostMapping("/orders")
        @Idempotent
        @Transactional
        public String order(@RequestBody String item) {
            return "order "
                    + jdbc.queryForObject("INSERT INTO orders (item) VALUES (?) RETURNING id", Long.class, item);
        }
    }

    /** An order as JPA sees it. */
    @Entity
    @Table(name = "orders")
    static class StoredOrder {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        String item;
    }

    @RestController
    static class JpaOrders {
        @PersistenceContext
        private EntityManager entities;

        /** The entities of this test alone, and not those of others in its package. */
        @Bean
        static PersistenceManagedTypes ownEntities() {
            return PersistenceManagedTypes.of(StoredOrder.class.getName());
        }

        @PostMapping("/orders")
        @Idempotent
        @Transactional
        public String order(@RequestBody String item) {
            var order = new StoredOrder();
            order.item = item;
            entities.persist(order);
            return "order " + order.id;
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(
                        "beside Flyway",
                        2,
                        List.of("test.tools=flyway", "spring.flyway.locations=classpath:db/start/flyway")),
                Arguments.of(
                        "by Flyway",
                        1,
                        List.of(
                                "test.tools=flyway",
                                "spring.flyway.locations=classpath:db/start/flyway,classpath:dev/refrain/db/postgresql",
                                "refrain.store.migrate=false")),
                Arguments.of(
                        "beside Liquibase",
                        1,
                        List.of(
                                "test.tools=liquibase",
                                "spring.liquibase.change-log=classpath:db/start/liquibase/own.xml")),
                Arguments.of(
                        "by Liquibase",
                        2,
                        List.of(
                                "test.tools=liquibase",
                                "spring.liquibase.change-log=classpath:db/start/liquibase/with-refrain.xml",
                                "refrain.store.migrate=false")));
    }

    private static List<String> settings(List<String> some, String... more) {
        var all = new ArrayList<>(SMALL);
        all.addAll(some);
        all.addAll(List.of(more));
        return all;
    }

    private static long count(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void orderOnce(StartTestApplication application) throws Exception {
        var first = application.post("/orders", "an-order", "book");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(application.post("/orders", "an-order", "book").body()).isEqualTo(first.body());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void applicationStartsOnEmptyDatabaseAndAgain(String way, int starts, List<String> tool) throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        for (int start = 1; start <= starts; start++) {
            try (var application = StartTestApplication.start(url, settings(tool), Orders.class)) {
                orderOnce(application);
            }
        }
        assertThat(count(url, "SELECT count(*) FROM orders")).isEqualTo(1);
        assertThat(count(url, "SELECT version FROM refrain_meta WHERE name = 'schema'"))
                .isEqualTo(dev.refrain.store.jdbc.SchemaScript.of("postgresql").version());
    }

    @Test
    void tablesAreSafeBesideThoseThatHibernateCreates() throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        var jpa = List.of("test.tools=hibernate,jpa", "spring.jpa.hibernate.ddl-auto=create");
        String answer;
        try (var application = StartTestApplication.start(url, settings(jpa), JpaOrders.class)) {
            orderOnce(application);
            answer = application.post("/orders", "an-order", "book").body();
        }
        try (var application = StartTestApplication.start(url, settings(jpa), JpaOrders.class)) {
            assertThat(application.post("/orders", "an-order", "book").body()).isEqualTo(answer);
        }
        assertThat(count(url, "SELECT count(*) FROM refrain_record")).isEqualTo(1);
    }

    @Test
    void hibernateValidatesBesideRefrainsTablesInASchemaOfTheirOwn() throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        var tools = List.of(
                "test.tools=flyway,hibernate,jpa",
                "spring.flyway.locations=classpath:db/start/flyway",
                "spring.jpa.hibernate.ddl-auto=validate",
                "refrain.store.schema=keys");
        try (var application = StartTestApplication.start(url, settings(tools), JpaOrders.class)) {
            orderOnce(application);
        }
        assertThat(count(url, "SELECT count(*) FROM keys.refrain_record")).isEqualTo(1);
    }

    /** Files of Refrain that nobody applied are missed at start, not at the first request. */
    @Test
    void missingTablesAreRefusedWithTheFilesThatCreateThem() {
        String url = PostgresServer.shared().freshDatabase();
        assertThatThrownBy(() -> StartTestApplication.start(
                        url, settings(List.of(), "refrain.store.migrate=false"), Orders.class))
                .hasStackTraceContaining("Refrain's tables are missing")
                .hasStackTraceContaining("classpath:dev/refrain/db");
    }
}
