package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestContent;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.store.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Requests of clients and their responses. */
final class SampleTraffic {

    static final String OPERATION = "payments.create";
    static final String TENANT = "tenant-";
    static final int TENANTS = 1_000;
    static final int OUTCOME_BYTES = 1_024;

    private static final String REQUEST = """
            {"account":"DE02120300000000202051","amount":1299,"currency":"EUR","reference":"order 4711"}""";

    private static final RequestFingerprinter FINGERPRINTER = RequestFingerprinter.unkeyed();

    private SampleTraffic() {}

    /** Returns a call by one of a thousand tenants under a random key. */
    static OperationCall call() {
        return callOf(TENANT + ThreadLocalRandom.current().nextInt(TENANTS));
    }

    /** Returns a call by this tenant under a random key. */
    static OperationCall callOf(String tenant) {
        var random = ThreadLocalRandom.current();
        var key = new UUID(random.nextLong(), random.nextLong());
        return OperationCall.scope(tenant).key(key.toString()).request(REQUEST);
    }

    /** Returns such a call with everything that an edge may know of it. */
    static OperationCall explainedCall() {
        var random = ThreadLocalRandom.current();
        return call().withOperationName("POST /payments/{id}")
                .withCaller("user-" + random.nextInt(TENANTS))
                .withTraceId(new TraceId(random.nextLong(), random.nextLong()));
    }

    /** Returns such a call whose request is kept for people. */
    static OperationCall keptCall() {
        return explainedCall().withKeptRequest(() -> Optional.of(Payload.of(body())));
    }

    /** Returns the claim of such a call. */
    static ClaimRequest claim() {
        var call = call();
        return ClaimRequest.of(
                new ScopedKey(call.scope(), OPERATION, call.key()),
                FINGERPRINTER.of(RequestContent.of(OPERATION, REQUEST)),
                ExecutionEnvironment.system().newNonce(),
                Duration.ofSeconds(30),
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    static OperationCall[] calls(int count) {
        return IntStream.range(0, count).mapToObj(i -> call()).toArray(OperationCall[]::new);
    }

    static OperationCall oneOf(OperationCall[] calls) {
        return calls[ThreadLocalRandom.current().nextInt(calls.length)];
    }

    static Outcome.Answer answer() {
        return answer(OUTCOME_BYTES);
    }

    static Outcome.Answer answer(int bytes) {
        return Outcome.Answer.of(201, body(bytes));
    }

    static byte[] body() {
        return body(OUTCOME_BYTES);
    }

    /** Returns random bytes, which nothing on the way can compress. */
    static byte[] body(int bytes) {
        var body = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(body);
        return body;
    }
}
