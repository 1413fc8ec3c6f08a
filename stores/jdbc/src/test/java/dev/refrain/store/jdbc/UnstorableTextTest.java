package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import dev.refrain.store.outbox.MessageLabels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL stores no NUL in a text. What people read is stored without it; what something is found by is refused. */
class UnstorableTextTest {

    @Test
    void reasonWithANulMovesTheKeyToAttentionAtOnce() {
        try (var store = JdbcStore.on(TestDatabases.postgres(TestDatabases.emptiedPostgres()));
                var refrain = Refrain.using(store)) {
            var operation = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);

            assertThatThrownBy(() ->
                            operation.run(OperationCall.scope("acme").key("k").request("7 EUR"), claim -> {
                                throw new EffectUnknownException("The bank answered \0.", null);
                            }))
                    .isInstanceOf(AttentionRequiredException.class);

            assertThat(refrain.admin().listAttention(10))
                    .singleElement()
                    .satisfies(item -> assertThat(item.reason()).contains("The bank answered \uFFFD."));
        }
    }

    /** Names of operations and steps are learned for a whole batch of claims, which must not fail for one of them. */
    @Test
    void operationCallerAndStepWithANulAreKeptWithoutItAndTheKeyWorks() {
        try (var store = JdbcStore.on(TestDatabases.postgres(TestDatabases.emptiedPostgres()));
                var refrain = Refrain.using(store)) {
            var operation = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
            var call = OperationCall.scope("acme")
                    .key("k")
                    .request("7 EUR")
                    .withOperationName("POST \0")
                    .withCaller("eve\0")
                    .withSteps(List.of("charge\0"));

            assertThat(operation.run(call, claim -> claim.derivedKey("refund\0")))
                    .isNotEmpty();
            assertThat(operation.run(call, claim -> "ran twice")).isNotEqualTo("ran twice");

            var explained = store.explain(new ScopedKey("acme", "pay", "k")).orElseThrow();
            assertThat(explained.operation()).contains("POST ?");
            assertThat(explained.caller()).contains("eve?");
        }
    }

    @Test
    void decisionWithANulIsTakenAndAudited() {
        try (var store = JdbcStore.on(TestDatabases.postgres(TestDatabases.emptiedPostgres()));
                var refrain = Refrain.using(store)) {
            var operation = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);
            assertThatThrownBy(() ->
                            operation.run(OperationCall.scope("acme").key("k").request("7 EUR"), claim -> {
                                throw new EffectUnknownException("silence", null);
                            }))
                    .isInstanceOf(AttentionRequiredException.class);

            var item = refrain.admin().listAttention(10).getFirst();
            assertThat(store.resolve(
                            new Resolution(item.claim(), new Resolution.RunAgain(), "ann\0", "the bank says \0")))
                    .isInstanceOf(RecordWriteResponse.Written.class);

            assertThat(store.listAuditTrail(1)).singleElement().satisfies(entry -> {
                assertThat(entry.who()).isEqualTo("ann\uFFFD");
                assertThat(entry.why()).isEqualTo("the bank says \uFFFD");
            });
        }
    }

    /** Their texts are theirs: one of them must not keep a ledger from being read. */
    @Test
    void foreignLedgerEntryWithANulIsReadLikeAnyOther() {
        try (var store = JdbcStore.on(TestDatabases.postgres(TestDatabases.emptiedPostgres()))) {
            var ledger = store.ledger();

            ledger.addReported("bank", List.of(new ReportedLedgerEntry("id\0", "key\0", 100)));

            assertThat(ledger.check(new LedgerCheckRequest("bank", Duration.ZERO, Duration.ZERO, "", 10))
                            .found())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eve\0", "\uD83D"})
    void subjectThatNoStoreCanKeepIsRefusedBeforeAnythingIsClaimed(String subject) {
        var call = OperationCall.scope("acme").key("k").request("7 EUR");

        assertThatThrownBy(() -> call.withSubject(subject))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The subject holds a NUL or an unpaired surrogate, which no store can keep. Remove it.");
        assertThatThrownBy(() -> MessageLabels.ofScope("acme").withSubject(subject))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MessageLabels.NONE.withReference(subject))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
