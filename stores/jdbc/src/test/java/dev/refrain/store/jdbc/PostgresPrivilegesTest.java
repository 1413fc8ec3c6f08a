package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.LimitedPostgresUser;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user that may write records but not all tables beside them is refused at start: its completions would fail after the work. */
class PostgresPrivilegesTest {

    private static final String USER = "refrain_limited";

    private LimitedPostgresUser user;

    @BeforeEach
    void createTablesAndUser() throws SQLException {
        user = LimitedPostgresUser.create(PostgresServer.shared(), USER);
        JdbcStore.on(user.owner()).close();
        user.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + USER);
        user.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO " + USER);
    }

    @AfterEach
    void dropUser() throws SQLException {
        user.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refrain_record",
                "refrain_waiter",
                "refrain_attempt",
                "refrain_step",
                "refrain_operation",
                "refrain_payload",
                "refrain_outbox",
                "refrain_outbox_past",
                "refrain_outbox_watch",
                "refrain_ledger",
                "refrain_ledger_entry"
            })
    void tableThatTheUserMayNotUseIsRefusedWithTheGrantThatIsMissing(String table) throws SQLException {
        user.execute("REVOKE UPDATE ON " + table + " FROM " + USER);

        assertThatThrownBy(
                        () -> JdbcStore.builder(user.limited()).migrate(false).build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "GRANT SELECT, INSERT, UPDATE, DELETE ON \"public\"." + table + " TO \"" + USER + "\";");
    }

    @Test
    void userWithAllPrivilegesOnTheTablesIsAccepted() {
        try (var store = JdbcStore.builder(user.limited()).migrate(false).build()) {
            assertThat(store.traits().name()).startsWith("PostgreSQL");
        }
    }

    @Test
    void userThatMayOnlyReadIsRefusedWhereTheStoreHasToWrite() throws SQLException {
        user.execute("REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM " + USER);

        JdbcStore.builder(user.limited()).migrate(false).build().close();
        assertThatThrownBy(() -> JdbcStore.builder(user.limited())
                        .migrate(false)
                        .requireWrites(true)
                        .build())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(
                        "may not use all of Refrain's tables",
                        "GRANT SELECT, INSERT, UPDATE, DELETE ON \"public\".refrain_record, ",
                        " TO \"" + USER + "\";");
    }

    /** What the message says is enough: the user starts once it is run. */
    private void startsOnceTheGrantsAreRun(String after, boolean migrate) throws SQLException {
        String message = "";
        try {
            JdbcStore.builder(user.limited()).migrate(migrate).build().close();
        } catch (StoreException e) {
            message = String.valueOf(e.getMessage());
        }
        assertThat(message).contains(after, "\"" + USER + "\"");
        for (String grant :
                message.substring(message.lastIndexOf(after) + after.length()).split(";")) {
            user.execute(grant);
        }

        try (var store = JdbcStore.builder(user.limited()).migrate(migrate).build()) {
            assertThat(store.traits().name()).startsWith("PostgreSQL");
        }
    }

    @Test
    void userWithoutAnyPrivilegeSeesTheGrantsThatAreEnough() throws SQLException {
        user.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + USER);

        startsOnceTheGrantsAreRun("older than this code: ", true);
    }

    @Test
    void userWhoMayNotUseTheSchemaSeesTheGrantsThatAreEnough() throws SQLException {
        user.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + USER);
        user.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");

        startsOnceTheGrantsAreRun("older than this code: ", true);
    }

    @Test
    void userWhoMayNotCreateTablesSeesTheGrantThatIsEnough() throws SQLException {
        user.execute("DROP SCHEMA public CASCADE");
        user.execute("CREATE SCHEMA public");

        assertThatThrownBy(() -> JdbcStore.on(user.limited()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "run as an administrator: GRANT USAGE, CREATE ON SCHEMA \"public\" TO \"" + USER + "\";");

        user.execute("GRANT USAGE, CREATE ON SCHEMA public TO " + USER);
        JdbcStore.on(user.limited()).close();
    }

    @Test
    void everyTableIsAmongThoseThatAreGranted() throws SQLException {
        try (var connection = user.owner().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT string_agg(tablename, ',' ORDER BY tablename) FROM pg_tables WHERE tablename LIKE 'refrain%'")) {
            rows.next();
            assertThat(rows.getString(1).split(","))
                    .containsExactlyInAnyOrderElementsOf(dev.refrain.store.jdbc.internal.schema.SchemaMigrator.TABLES);
        }
    }
}
