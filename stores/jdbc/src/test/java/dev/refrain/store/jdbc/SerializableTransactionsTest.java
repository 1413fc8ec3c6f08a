package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequestOf;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static dev.refrain.store.jdbc.JdbcTransactionTestBase.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs at SERIALIZABLE: only conflicts of the application's own data roll them back. What a transaction reads there is a predicate lock, of
 * whole pages of an index, and an insert of another transaction beside it is a conflict: so no run reads tables of Refrain.
 */
class SerializableTransactionsTest extends PostgresTestBase {

    private static final int AT_ONCE = 50;

    private static final String READ_BY_OURS =
            "SELECT coalesce(string_agg(DISTINCT relation::regclass::text, ' '), '') FROM pg_locks"
                    + " WHERE mode = 'SIReadLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

    private final JdbcStore serializable = JdbcStore.builder(StubDataSources.of(this::serializableConnection))
            .dedicatedDataSource(source)
            .build();

    private Connection serializableConnection() throws SQLException {
        var connection = source.getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        return connection;
    }

    @BeforeEach
    void tables() {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        sql.execute("CREATE TABLE doctor (name VARCHAR(50) PRIMARY KEY, on_call BOOLEAN)");
        sql.execute("INSERT INTO doctor VALUES ('ann', true), ('bob', true)");
    }

    @AfterEach
    void closeSerializable() {
        serializable.close();
    }

    /** A run that has claimed its key. */
    private record Run(StoreTransaction<Connection> transaction, ClaimRequest wish, StoredRecord claimed) {

        RecordWriteResponse commit() {
            return transaction.completeAndCommit(wish, claimed, payload("paid"));
        }
    }

    private Run run(ClaimRequest wish) {
        var transaction = serializable.transactions().begin();
        return new Run(transaction, wish, record(transaction.tryClaim(wish), true));
    }

    private String read() {
        return sql.text(READ_BY_OURS);
    }

    @Test
    void runOfANewKeyReadsNothingOfRefrain() throws SQLException {
        var run = run(claimRequest("k"));
        try (var transaction = run.transaction()) {
            assertThat(read()).isEmpty();
            countOnCall(transaction.connection());
            assertThat(read()).as("what the work reads is watched").isEqualTo("doctor");
            transaction.complete(run.wish(), run.claimed(), payload("paid"));
            assertThat(read()).isEqualTo("doctor");
            transaction.commit();
        }
    }

    @Test
    void replayReadsNothingOfRefrainInItsTransaction() throws SQLException {
        var wish = claimRequest("k");
        var first = run(wish);
        try (var done = first.transaction();
                var caller = serializableConnection()) {
            first.commit();
            done.close();
            caller.setAutoCommit(false);

            try (var again = serializable.transactions().join(caller)) {
                assertThat(record(again.tryClaim(retryOf(wish)), false).outcome())
                        .contains(payload("paid"));
                assertThat(read()).isEmpty();
            }
        }
    }

    @Test
    void runInTheCallersTransactionReadsNothingOfRefrain() throws SQLException {
        try (var caller = serializableConnection()) {
            caller.setAutoCommit(false);
            for (var wish : List.of(claimRequest("k1"), claimRequest("k2"))) {
                try (var transaction = serializable.transactions().join(caller)) {
                    var record = record(transaction.tryClaim(wish), true);
                    pay(caller, wish.identity().key());
                    transaction.complete(wish, record, payload("paid"));
                }
            }
            assertThat(read()).isEmpty();
            caller.commit();
        }
    }

    @Test
    void expiredRecordIsReplacedWithoutReadingAnyOfRefrain() {
        var wish = claimRequest("k");
        store.write(List.of(complete(acquired(store, wish).claim(), "old")));
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 second'");
        var run = run(retryOf(wish));
        try (var transaction = run.transaction()) {
            assertThat(read()).isEmpty();
            transaction.complete(run.wish(), run.claimed(), payload("paid"));
            assertThat(read()).isEmpty();
            transaction.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unfinishedRecordIsContinuedWithoutReadingAnyOfRefrain(boolean released) {
        var wish = claimRequest("k");
        var first = acquired(store, wish);
        if (released) {
            store.write(List.of(new RecordWrite.Release(first.claim())));
        } else {
            sql.execute("UPDATE refrain_record SET lease_until = now() - interval '1 second'");
        }
        var run = run(retryOf(wish));
        try (var transaction = run.transaction()) {
            transaction.complete(run.wish(), run.claimed(), payload("paid"));
            assertThat(read()).isEmpty();
            transaction.commit();
        }
        assertThat(sql.number("SELECT count(*) FROM refrain_attempt")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, AT_ONCE})
    void unrelatedKeysNeverRollEachOtherBack(int scopes) throws SQLException {
        for (int round = 0; round < 4; round++) {
            int first = round * AT_ONCE;
            allAtOnce(i -> claimRequestOf("tenant-" + i % scopes, "k" + (first + i)));
        }

        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(200);
        assertThat(sql.number("SELECT count(*) FROM refrain_record WHERE state = 2"))
                .isEqualTo(200);
    }

    /** All have claimed before the first one writes, and all have written before the first one commits. */
    private void allAtOnce(IntFunction<ClaimRequest> wishes) throws SQLException {
        var runs = new ArrayList<Run>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                runs.add(run(wishes.apply(i)));
            }
            for (var run : runs) {
                pay(run.transaction().connection(), run.wish().identity().key());
            }
            for (var run : runs) {
                run.transaction().complete(run.wish(), run.claimed(), payload("paid"));
            }
            for (var run : runs) {
                run.transaction().commit();
            }
        } finally {
            runs.forEach(run -> run.transaction().close());
        }
    }

    @Test
    void conflictOfTheWorkItselfIsStillFound() throws SQLException {
        var ann = run(claimRequest("ann"));
        var bob = run(claimRequest("bob"));
        try (var first = ann.transaction();
                var second = bob.transaction()) {
            assertThat(countOnCall(first.connection())).isEqualTo(2);
            assertThat(countOnCall(second.connection())).isEqualTo(2);
            goHome(first.connection(), "ann");
            goHome(second.connection(), "bob");

            assertThat(ann.commit()).isEqualTo(new RecordWriteResponse.Written());
            assertThatThrownBy(bob::commit)
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
        }

        assertThat(sql.text("SELECT string_agg(name, ',') FROM doctor WHERE on_call"))
                .isEqualTo("bob");
        assertThat(sql.text("SELECT string_agg(key, ',') FROM refrain_record")).isEqualTo("ann");
    }

    private static long countOnCall(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM doctor WHERE on_call")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void goHome(Connection connection, String name) throws SQLException {
        try (var update = connection.prepareStatement("UPDATE doctor SET on_call = false WHERE name = ?")) {
            update.setString(1, name);
            update.executeUpdate();
        }
    }
}
