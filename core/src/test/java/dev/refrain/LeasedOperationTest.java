package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.InProgressException;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claim; then the work; then the outcome. */
class LeasedOperationTest extends LeasedPaymentTestBase {

    @Test
    void firstCallRunsAndEveryRetryIsGivenWhatItGave() {
        var first = pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());
        var retries = IntStream.range(0, 5)
                .mapToObj(i -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge()));

        assertThat(first).isEqualTo(new Payment("p-1", new BigDecimal("10.50")));
        assertThat(retries).allMatch(first::equals);
        assertThat(effects).hasValue(1);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void retryInAnotherProcessIsGivenTheSame() {
        var first = pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());
        var elsewhere = world.process().operation("pay", Payment.class).leased(LeaseExpiryPolicy.RESUME);

        assertThat(elsewhere.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge()))
                .isEqualTo(first);
        assertThat(effects).hasValue(1);
    }

    @Test
    void anotherKeyAnotherNamespaceOrAnotherScopeIsAnotherIntentEvenWithTheSameRequest() {
        var refund = refrain.operation("refund", Payment.class).leased(LeaseExpiryPolicy.RESUME);

        pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());
        pay.run(OperationCall.scope(SCOPE).key("key-2").request("one euro"), claim -> charge());
        pay.run(OperationCall.scope("another tenant").key("key-1").request("one euro"), claim -> charge());
        refund.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());

        assertThat(effects).hasValue(4);
    }

    @Test
    void operationsThatShareANamespaceShareTheirKeysSoAReusedKeyIsAMismatch() {
        var create = refrain.operation("create", String.class).namespace("api").leased(LeaseExpiryPolicy.RESUME);
        var cancel = refrain.operation("cancel", String.class).namespace("api").leased(LeaseExpiryPolicy.RESUME);
        create.run(OperationCall.scope(SCOPE).key("key-1").request("order 7"), claim -> "created");

        assertThatThrownBy(() ->
                        cancel.run(OperationCall.scope(SCOPE).key("key-1").request("order 7"), claim -> "cancelled"))
                .isInstanceOf(RequestMismatchException.class);
    }

    @Test
    void sameKeyWithAnotherRequestIsRefusedAndNothingRuns() {
        pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());

        assertThatThrownBy(
                        () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("two euros"), claim -> charge()))
                .isInstanceOfSatisfying(
                        RequestMismatchException.class,
                        e -> assertThat(e.recordId())
                                .isEqualTo(world.record("pay", "key-1")
                                        .orElseThrow()
                                        .id()))
                .hasMessageNotContaining("key-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void whileTheFirstRunsATwinIsToldSoAtOnceAndAnUnlikeOneThatItIsUnlike() {
        var gate = new ThreadGate();
        var first = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> {
                    gate.pass();
                    return charge();
                }));
        gate.awaitArrival();

        assertThatThrownBy(
                        () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge()))
                .isInstanceOfSatisfying(
                        InProgressException.class,
                        e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
        assertThatThrownBy(
                        () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("two euros"), claim -> charge()))
                .isInstanceOf(RequestMismatchException.class);
        assertThat(pay.runForResult(OperationCall.scope(SCOPE).key("key-1").request("two euros"), claim -> charge()))
                .isInstanceOf(OperationResult.Mismatch.class);

        gate.open();
        assertThat(first.get().id()).isEqualTo("p-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void oneOfManyConcurrentTwinsRuns() {
        var twins = BackgroundCall.run(200, () -> {
            try {
                return pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge())
                        .id();
            } catch (InProgressException busy) {
                return "busy";
            }
        });

        assertThat(twins.stream().map(BackgroundCall::get))
                .isSubsetOf("p-1", "busy")
                .contains("p-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void jsonRequestsAreComparedByMeaningAndTextLiterally() {
        pay.run(
                OperationCall.scope(SCOPE).key("key-1").request(new Payment("x", new BigDecimal("1.0"))),
                claim -> charge());
        pay.run(
                OperationCall.scope(SCOPE).key("key-1").request(new Payment("x", new BigDecimal("1.00"))),
                claim -> charge());
        assertThat(effects).hasValue(1);

        pay.run(OperationCall.scope(SCOPE).key("key-2").request("{\"a\":1, \"b\":2}"), claim -> charge());
        assertThatThrownBy(() -> pay.run(
                        OperationCall.scope(SCOPE).key("key-2").request("{\"b\":2, \"a\":1}"), claim -> charge()))
                .isInstanceOf(RequestMismatchException.class);
    }

    @Test
    void badKeyIsRefusedBeforeAnythingIsClaimed() {
        var strict = refrain.operation("strict", String.class)
                .keyRules(KeyRules.DEFAULT.matching(Pattern.compile("[0-9]+")))
                .leased(LeaseExpiryPolicy.RESUME);

        assertThatThrownBy(
                        () -> strict.run(OperationCall.scope(SCOPE).key("abc").request("x"), claim -> "ran"))
                .isInstanceOf(InvalidIdempotencyKeyException.class);
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("").request("x"), claim -> charge()))
                .isInstanceOf(InvalidIdempotencyKeyException.class);
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("a b").request("x"), claim -> charge()))
                .isInstanceOf(InvalidIdempotencyKeyException.class);
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key(null).request("x"), claim -> charge()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageStartingWith("key");
        assertThat(effects).hasValue(0);
    }

    @Test
    void callSaysNothingInALog() {
        assertThat(OperationCall.scope(SCOPE).key("key-1").request("secret").withSubject("alice"))
                .hasToString("OperationCall[…]");
    }

    @Test
    void recordCanBeErasedWithThePersonItIsAbout() {
        pay.run(OperationCall.scope(SCOPE).key("key-1").request("x").withSubject("alice"), claim -> charge());
        pay.run(OperationCall.scope(SCOPE).key("key-2").request("x").withSubject("bob"), claim -> charge());

        var erased = refrain.admin().erase(new ErasureRequest.OfSubject(SCOPE, "alice"), "dpo", "asked to");

        assertThat(erased.erased()).isEqualTo(1);
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-2").request("x"), claim -> charge())
                        .id())
                .isEqualTo("p-2");
        assertThat(effects).hasValue(2);
    }
}
