package dev.refrain.benchmarks;

import dev.refrain.Call;
import dev.refrain.Environment;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** What clients send, and what they are answered. */
final class Traffic {

    static final String OPERATION = "payments.create";
    static final String TENANT = "tenant-";
    static final int TENANTS = 1_000;

    private static final int OUTCOME_BYTES = 1_024;
    private static final String REQUEST = """
            {"account":"DE02120300000000202051","amount":1299,"currency":"EUR","reference":"order 4711"}""";

    private static final Fingerprinter FINGERPRINTER = Fingerprinter.unkeyed();

    private Traffic() {}

    /** A request of one of a thousand tenants, under a random key. */
    static Call call() {
        var random = ThreadLocalRandom.current();
        var key = new UUID(random.nextLong(), random.nextLong());
        return Call.of(TENANT + random.nextInt(TENANTS), key.toString(), REQUEST);
    }

    /** The claim that such a request comes down to. */
    static ClaimRequest claim() {
        var call = call();
        return ClaimRequest.of(
                new Identity(call.scope(), OPERATION, call.key()),
                FINGERPRINTER.of(Request.of(OPERATION, REQUEST)),
                Environment.system().newNonce(),
                Duration.ofSeconds(30),
                TakeOver.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    static Call[] calls(int count) {
        return IntStream.range(0, count).mapToObj(i -> call()).toArray(Call[]::new);
    }

    static Call oneOf(Call[] calls) {
        return calls[ThreadLocalRandom.current().nextInt(calls.length)];
    }

    static Outcome.Answer answer() {
        return Outcome.Answer.of(201, body());
    }

    /** Random, so that nothing on the way can make it smaller. */
    static byte[] body() {
        var body = new byte[OUTCOME_BYTES];
        ThreadLocalRandom.current().nextBytes(body);
        return body;
    }
}
