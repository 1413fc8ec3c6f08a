package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.SCOPE;
import static dev.refrain.trials.encryption.PlantedWords.WHO;
import static dev.refrain.trials.encryption.PlantedWords.WHY;
import static dev.refrain.trials.encryption.PlantedWords.erased;
import static dev.refrain.trials.encryption.PlantedWords.name;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Leased and transactional operations of a {@link PlantedShop}, and what people decide about their records. */
record PlantedOperations(PlantedShop shop) {

    private OperationCall call(String key) {
        return OperationCall.scope(SCOPE)
                .key(name(key))
                .request(Map.of("card", shop.secret("request")))
                .withCaller(name("caller"))
                .withSubject(name("subject"))
                .withOperationName(name("operation"))
                .withKeptRequest(
                        () -> Optional.of(Payload.of(shop.secret("kept request").getBytes(UTF_8))));
    }

    private Outcome.Answer answer(int status, String what) {
        return new Outcome.Answer(
                status,
                List.of(new AnswerHeader("X-" + shop.secret("header name"), shop.secret("header"))),
                Payload.of(shop.secret(what).getBytes(UTF_8)));
    }

    private LeasedOperation<String> leased(String operation, LeaseExpiryPolicy policy) {
        return shop.refrain()
                .operation(name(operation), String.class)
                .fingerprinter(RequestFingerprinter.builder()
                        .secret(name("fingerprint-key"), new byte[32])
                        .build())
                .leased(policy);
    }

    void run() throws Exception {
        var resumed = leased("resumed", LeaseExpiryPolicy.RESUME);
        resumed.run(call("leased"), claim -> {
            claim.derivedKey(name("step"));
            return shop.secret("result");
        });
        String failure = shop.secret("failure");
        assertThatThrownBy(() -> resumed.run(call("failed"), claim -> {
                    throw new IllegalStateException(failure);
                }))
                .hasMessage(failure);
        assertThatThrownBy(() -> resumed.run(call("failed"), claim -> shop.secret("another request")));
        var held = leased("held", LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(() -> held.run(call("held"), claim -> {
            throw new IllegalStateException(shop.secret("kept failure"), new Exception(shop.secret("kept cause")));
        }));
        for (String key : List.of("waiting", "resolved", "released", "revealed")) {
            assertThatThrownBy(() -> held.run(call(key), claim -> {
                claim.derivedKey(name("step"));
                throw new EffectUnknownException(
                        shop.secret("unknown"), new IllegalStateException(shop.secret("its cause")));
            }));
        }
        shop.refrain()
                .operation(name("raw"))
                .leased(LeaseExpiryPolicy.HOLD)
                .run(call("answered"), claim -> answer(422, "answer"));
        shop.refrain().operation(name("raw")).leased(LeaseExpiryPolicy.RESUME).run(call("not kept"), claim -> {
            claim.doNotKeepAnswer();
            return answer(503, "answer that is not kept");
        });
        book();
    }

    private void book() throws Exception {
        var transactions = shop.store().transactions(shop.inner().transactions());
        var book = shop.refrain().operation(name("book"), String.class).transactional(transactions);
        book.run(call("booked"), (claim, tx) -> shop.secret("booking"));
        assertThatThrownBy(() -> book.run(call("not booked"), (claim, tx) -> {
            throw new IllegalStateException(shop.secret("no booking"));
        }));
        var slow = shop.refrain()
                .operation(name("slow"), String.class)
                .lease(Duration.ofMillis(200))
                .maxRunTime(Duration.ofMillis(200))
                .transactional(transactions);
        assertThatThrownBy(() -> slow.run(call("too slow"), (claim, tx) -> {
                    String query = "SELECT '" + shop.secret("too slow") + "'";
                    try (var statement = tx.createStatement()) {
                        while (true) {
                            statement.execute(query);
                        }
                    }
                }))
                .isInstanceOf(RunTimeExceededException.class);
    }

    /** Left by its instance under a lease that ends: found by the sweeper, and by a retry. */
    void loseLeases() {
        var lost = shop.refrain()
                .operation(name("lost"), String.class)
                .lease(Duration.ofSeconds(1))
                .leased(LeaseExpiryPolicy.HOLD);
        var retried = call("lost and retried").withSteps(List.of(name("step")));
        ((AsyncRun) lost.startAsync(retried)).abandon();
        PlantedShop.await().until(() -> {
            lost.startAsync(retried);
            return state("lost", "lost and retried") == RecordState.ATTENTION;
        });
        ((AsyncRun) lost.startAsync(call("lost").withSteps(List.of(name("step"))))).abandon();
        PlantedShop.await().until(() -> {
            shop.store().sweep(Duration.ZERO, 100);
            return state("lost", "lost") == RecordState.ATTENTION;
        });
    }

    private RecordState state(String operation, String key) {
        return shop.refrain()
                .admin()
                .find(new ScopedKey(SCOPE, name(operation), name(key)))
                .orElseThrow()
                .state();
    }

    private LeasedOperation<String> awaited(Duration patience) {
        return shop.refrain()
                .operation(name("awaited"), String.class)
                .waitWhileInFlight(patience)
                .leased(LeaseExpiryPolicy.RESUME);
    }

    private static OperationCall sameCall() {
        return OperationCall.scope(SCOPE).key(name("awaited")).request("the same");
    }

    /** Returns a run that others can wait for. */
    AsyncRun runForAnother() {
        return (AsyncRun) awaited(Duration.ZERO).startAsync(sameCall());
    }

    /** Returns the result of a run, of this instance or another. */
    String waitForAnother() {
        return awaited(Duration.ofMinutes(2)).run(sameCall(), claim -> shop.secret("own result"));
    }

    void decide() {
        var admin = shop.refrain().admin();
        for (var item : admin.listAttention(100)) {
            if (item.identity().key().equals(name("resolved"))) {
                assertThat(admin.resolve(item.claim(), answer(201, "a person's answer"), WHO, WHY))
                        .isTrue();
            } else if (item.identity().key().equals(name("released"))) {
                assertThat(admin.release(item.claim(), WHO, WHY)).isTrue();
            } else if (item.identity().key().equals(name("revealed"))) {
                assertThat(admin.revealKeptRequest(item, WHO, WHY)).isPresent();
            }
        }
    }

    /** Everything of one person, also after a failure; nothing of it is left. */
    void erase() throws Exception {
        var person = OperationCall.scope(SCOPE)
                .key(erased("key"))
                .request(erased("request"))
                .withCaller(erased("caller"))
                .withSubject(erased("subject"));
        var operation = leased("erased", LeaseExpiryPolicy.RESUME);
        assertThatThrownBy(() -> operation.run(person, claim -> {
            throw new IllegalStateException(erased("failure"));
        }));
        operation.run(person, claim -> erased("result"));
        var erasure = shop.refrain().admin().erase(new ErasureRequest.OfSubject(SCOPE, erased("subject")), WHO, WHY);
        assertThat(erasure.erased()).isEqualTo(1);
    }
}
