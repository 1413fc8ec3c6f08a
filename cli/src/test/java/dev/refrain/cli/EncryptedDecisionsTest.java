package dev.refrain.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions by command on an encrypted store, with the applications' keys and without, leave what the applications can use. */
class EncryptedDecisionsTest {

    private static final byte[] SECRET = new byte[32];
    private static final String BODY = "to Eve";

    @TempDir
    Path directory;

    /** An application and the commands beside it. */
    private final class Shop implements AutoCloseable {

        private final String given;
        private final String url;
        final JdbcStore jdbc;
        final OutboxStore<Connection> outbox;
        final Refrain refrain;
        private final List<String> keys = new ArrayList<>();

        Shop(OperatorTestStore database, boolean withKeys) throws Exception {
            given = database.fresh(directory);
            url = OperatorTestStore.withoutPassword(given, directory);
            jdbc = OperatorTestStore.open(given);
            var store = EncryptingStore.around(jdbc, EncryptionKeyRing.of("2026-11", SECRET));
            outbox = store.outbox(jdbc.outbox());
            refrain = Refrain.using(store);
            if (withKeys) {
                Path file = Files.writeString(
                        directory.resolve("keys"),
                        "2026-11=" + Base64.getEncoder().encodeToString(SECRET));
                keys.addAll(List.of("--encryption-keys", file.toString()));
            }
        }

        @Override
        public void close() {
            refrain.close();
            jdbc.close();
            OperatorTestStore.forgetPassword();
        }

        String run(String... arguments) {
            var all = new ArrayList<>(List.of(arguments));
            all.addAll(List.of("--store", url));
            all.addAll(keys);
            var result = CommandResult.refrain(all.toArray(String[]::new));
            assertThat(result.exitCode()).as("%s: %s", all, result.err()).isZero();
            return result.out();
        }

        String decide(String... arguments) {
            var all = new ArrayList<>(List.of(arguments));
            all.addAll(List.of("--reason", "ticket 7", "--yes"));
            return run(all.toArray(String[]::new));
        }

        private OperationCall call(String key) {
            return OperationCall.scope("acme").key(key).request("pay 7").withSubject("eve");
        }

        String pay(String key) {
            var answer = refrain.operation("pay")
                    .leased(LeaseExpiryPolicy.HOLD)
                    .run(
                            call(key),
                            claim -> Outcome.Answer.of(200, ("paid under fence " + claim.fence()).getBytes(UTF_8)));
            return new String(answer.body().bytes(), UTF_8);
        }

        AttentionItem waiting(String key) {
            assertThatThrownBy(() -> refrain.operation("pay")
                    .leased(LeaseExpiryPolicy.HOLD)
                    .run(call(key), claim -> {
                        throw new EffectUnknownException("The bank of Eve did not answer.", null);
                    }));
            return refrain.admin().listAttention(10).getLast();
        }

        UUID deadLetter() throws Exception {
            var message = new StagedMessage(UUID.randomUUID(), "mails", null, Payload.of(BODY.getBytes(UTF_8)));
            try (var connection = OperatorTestStore.source(given).getConnection()) {
                connection.setAutoCommit(false);
                outbox.stage(connection, message);
                connection.commit();
            }
            outbox.settle(lease((row, body) -> new MessageSettlement.Dead(
                    row, MessageSettlement.Cause.EXHAUSTED, 0, "the endpoint of Eve is down")));
            return message.id();
        }

        <T> List<T> lease(BiFunction<OutboxRowRef, String, T> made) {
            return outbox
                    .leaseMessages(new MessageLeaseRequest("mails", Duration.ofMinutes(1), 10, 10, 1 << 20))
                    .stream()
                    .map(row -> made.apply(row.row(), new String(row.payload().bytes(), UTF_8)))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, true", "POSTGRESQL, false", "SQLITE, true", "SQLITE, false"})
    void decisionByCommandIsUsableByTheApplication(OperatorTestStore database, boolean withKeys) throws Exception {
        try (var shop = new Shop(database, withKeys)) {
            var released = shop.waiting("released");
            assertThat(shop.run("attention").contains("The bank of Eve")).isEqualTo(withKeys);
            shop.decide("keys", "release", "--id", released.claim().id().toString());
            assertThat(shop.pay("released")).isEqualTo("paid under fence 3").isEqualTo(shop.pay("released"));
            if (withKeys) {
                var resolved = shop.waiting("resolved");
                Path body = Files.writeString(directory.resolve("answer"), "found at the bank");
                shop.decide(
                        "keys",
                        "resolve",
                        "--id",
                        resolved.claim().id().toString(),
                        "--status",
                        "201",
                        "--body",
                        body.toString());
                assertThat(shop.pay("resolved")).isEqualTo("found at the bank");
            }

            var resent = shop.deadLetter();
            assertThat(shop.run("deadletters", "list").contains("the endpoint of Eve"))
                    .isEqualTo(withKeys);
            shop.decide("deadletters", "resend", "--id", resent.toString());
            assertThat(shop.lease((row, body) -> body)).containsExactly(BODY);
            shop.decide("deadletters", "discard", "--id", shop.deadLetter().toString());
            assertThat(shop.outbox.deadLetters(null, 10)).isEmpty();

            shop.run("reap");
            assertThat(shop.pay("released")).as("not reaped").isEqualTo("paid under fence 3");
            assertThat(shop.decide("erase", "--scope", "acme", "--subject", "eve"))
                    .contains("Erased " + (withKeys ? 2 : 1) + " records");
            var record = shop.refrain.admin().find(new ScopedKey("acme", "pay", "released"));
            assertThat(record.orElseThrow().outcome()).isEmpty();
        }
    }
}
