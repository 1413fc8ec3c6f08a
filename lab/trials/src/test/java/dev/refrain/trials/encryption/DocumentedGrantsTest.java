package dev.refrain.trials.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.servers.LimitedPostgresUser;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A PostgreSQL user with exactly the grants of docs/operations.md, run as they are written, can run an application. */
class DocumentedGrantsTest {

    private static final Path PAGE = Path.of("../../docs/operations.md");
    private static final Pattern BLOCK = Pattern.compile("```sql\\n(GRANT .*?)```", Pattern.DOTALL);
    private static final String USER = "refrain_documented";

    private LimitedPostgresUser user;

    @BeforeEach
    void createUserWithoutAnyRight() throws SQLException {
        user = LimitedPostgresUser.create(PostgresServer.shared(), USER);
        user.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC");
    }

    @AfterEach
    void dropUser() throws SQLException {
        user.close();
    }

    /** Runs the statements of a block for PostgreSQL, for this test's user instead of the page's {@code app}. */
    private void grant(int block) throws Exception {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .filter(grants -> grants.contains(" TO app;"))
                .toList();
        assertThat(blocks).hasSize(2);
        user.execute(blocks.get(block).replace(" TO app;", " TO " + USER + ";"));
    }

    @Test
    void userWhoMayCreateTablesCreatesAndUsesThem() throws Exception {
        assertThatThrownBy(() -> JdbcStore.on(user.limited())).isInstanceOf(StoreException.class);

        grant(0);

        try (var store = JdbcStore.on(user.limited());
                var refrain = Refrain.using(store)) {
            assertThat(refrain.operation("pay", String.class)
                            .leased(LeaseExpiryPolicy.HOLD)
                            .run(OperationCall.scope("acme").key("k").request("7"), claim -> "paid"))
                    .isEqualTo("paid");
        }
    }

    @Test
    void userOfTablesThatAnotherOwnsRunsEverything() throws Exception {
        JdbcStore.on(user.owner()).close();
        assertThatThrownBy(
                        () -> JdbcStore.builder(user.limited()).migrate(false).build())
                .isInstanceOf(StoreException.class);

        grant(1);

        try (var shop = PlantedShop.on(
                user.limited(),
                JdbcStore.builder(user.limited()).migrate(false).build(),
                new PlantedWords(),
                "instance")) {
            shop.runAndFailInEveryWay();
        }
    }
}
