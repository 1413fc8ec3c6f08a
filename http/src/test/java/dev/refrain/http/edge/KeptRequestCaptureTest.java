package dev.refrain.http.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.KeptRequest.KeptBody;
import dev.refrain.http.KeptRequest.SentHeader;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as they were received are kept where the route says so, without what must not be kept. */
class KeptRequestCaptureTest {

    private static final OperationMode HOLD = OperationMode.leased(LeaseExpiryPolicy.HOLD);
    private static final OperationMode RESUME = OperationMode.leased(LeaseExpiryPolicy.RESUME);
    private static final String CARD = "{\"amount\":1.10,\"card\":{\"number\":\"4242\"},\"to\":\"ann\"}";

    private final MemoryStore memory = new MemoryStore();
    private final List<Refrain> opened = new ArrayList<>();
    private final List<LeasedExchange> exchanges = new ArrayList<>();

    @AfterEach
    void close() {
        exchanges.stream().filter(exchange -> !exchange.hasEnded()).forEach(LeasedExchange::abandon);
        opened.forEach(Refrain::close);
    }

    private static RoutePolicy policy(OperationMode mode, UnaryOperator<KeptRequestPolicy> kept) {
        return RoutePolicy.of(mode).request(request -> request.with(kept.apply(request.kept())));
    }

    private static RoutePolicy always(UnaryOperator<KeptRequestPolicy> kept) {
        return policy(HOLD, base -> kept.apply(base.with(KeptRequestRule.ALWAYS)));
    }

    /** The memory store, which says of itself that it encrypts, or that it cannot keep requests, or takes little. */
    private Store like(Map<String, UnaryOperator<Object>> answers) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                    try {
                        return answers.getOrDefault(method.getName(), answer -> answer)
                                .apply(method.invoke(memory, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Store encrypting() {
        return like(Map.of("traits", traits -> ((StoreTraits) traits).withEncryption()));
    }

    private RouteProtection route(Store store, RoutePolicy policy) {
        var refrain = Refrain.using(store);
        opened.add(refrain);
        return RouteProtection.of(refrain, Route.of("POST /pay/{id}", policy), ContractAndStatusPaths.DEFAULT, null);
    }

    private RequestDecision send(RouteProtection route, byte[] body, String... headers) {
        var head = new RequestHead("POST", "/pay/7", "token=secret", "application/json", name -> {
            var values = new ArrayList<String>();
            for (int i = 0; i < headers.length; i += 2) {
                if (headers[i].equalsIgnoreCase(name)) {
                    values.add(headers[i + 1]);
                }
            }
            return name.equalsIgnoreCase("Idempotency-Key") ? List.of("key-1") : values;
        });
        var decision = route.begin(head, BufferBudget.ofHeap().open("peer"))
                .decide(new RequestStep.BlockingTranslation<RuntimeException>() {
                    @Override
                    public RequestStep resolveScope(RequestStep.ResolveScope step) {
                        return step.known("tenant");
                    }

                    @Override
                    public RequestStep readBody(RequestStep.ReadBody step) {
                        return step.whole(Payload.of(body));
                    }
                });
        if (decision instanceof LeasedExchange exchange) {
            exchanges.add(exchange);
        }
        return decision;
    }

    private Optional<KeptRequest> kept() {
        return memory.readKeptRequest(new ScopedKey("tenant", RouteProtection.NAMESPACE, "key-1"))
                .map(payload -> KeptRequest.decode(payload).orElseThrow());
    }

    private KeptRequest sentAndKept(RoutePolicy policy, byte[] body, String... headers) {
        assertThat(send(route(memory, policy), body, headers)).isInstanceOf(LeasedExchange.class);
        return kept().orElseThrow();
    }

    private KeptRequest sentAndKept(RoutePolicy policy, String body, String... headers) {
        return sentAndKept(policy, body.getBytes(UTF_8), headers);
    }

    @Test
    void nothingIsKeptByDefaultUnlessTheStoreEncrypts() {
        send(route(memory, RoutePolicy.of(HOLD)), CARD.getBytes(UTF_8));

        assertThat(kept()).isEmpty();
    }

    @Test
    void encryptingStoreKeepsWhatMayNeedAPerson() {
        send(route(encrypting(), RoutePolicy.of(HOLD)), CARD.getBytes(UTF_8));

        var request = kept().orElseThrow();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.target()).as("the query may hold tokens").isEqualTo("/pay/7?…");
        assertThat(request.bodyText()).contains(CARD);
    }

    @Test
    void encryptingStoreKeepsNothingThatRunsAgainOrOptsOut() {
        send(route(encrypting(), RoutePolicy.of(RESUME)), CARD.getBytes(UTF_8));
        assertThat(kept()).isEmpty();

        exchanges.getFirst().complete(Outcome.Answer.of(500, new byte[0]));
        send(route(encrypting(), policy(RESUME, kept -> kept.with(KeptRequestRule.NEVER))), CARD.getBytes(UTF_8));
        assertThat(kept()).isEmpty();
    }

    @Test
    void routeThatAlwaysKeepsDoesSoWhateverHappensAfterACrash() {
        var request = sentAndKept(policy(RESUME, kept -> kept.with(KeptRequestRule.ALWAYS)), CARD);

        assertThat(request.bodyText()).contains(CARD);
    }

    @Test
    void requestOfACompletedOrObservedRouteIsNotKept() {
        sentAndKept(always(kept -> kept), CARD);
        exchanges.getFirst().complete(Outcome.Answer.of(201, new byte[0]));
        assertThat(kept()).isEmpty();

        var observed = always(kept -> kept).key(key -> key.with(KeyRequirement.OBSERVE));
        assertThat(route(memory, observed).capture()).isEmpty();
    }

    @Test
    void replayFromThisProcessDoesNotCaptureAgain() {
        var captured = new AtomicInteger();
        KeptRequestRedactor counting = request -> {
            captured.incrementAndGet();
            return Optional.of(request);
        };
        var route = route(memory, always(kept -> kept.with(counting)));
        send(route, CARD.getBytes(UTF_8));
        exchanges.getFirst().complete(Outcome.Answer.of(201, new byte[0]));

        for (int i = 0; i < 3; i++) {
            assertThat(send(route, CARD.getBytes(UTF_8))).isInstanceOf(RequestDecision.ImmediateResponse.class);
        }

        assertThat(captured)
                .as("the first run, and the first replay, which asks the store")
                .hasValue(2);
    }

    @Test
    void longBodyIsCutBetweenCharactersAndSaysSo() {
        String body = "é".repeat(10);

        var request = sentAndKept(always(kept -> kept.withMaxBytes(5)), body, "Content-Type", "text/plain");

        assertThat(request.bodyText()).contains("éé");
        assertThat(request.receivedBytes()).isEqualTo(20);
        assertThat(request.bodySummary()).isEqualTo("the first 4 of 20 bytes of text/plain");
    }

    @Test
    void bodyIsKeptUpToSixteenKibibytesByDefault() {
        var request = sentAndKept(always(kept -> kept), "x".repeat(16_385));

        assertThat(request.keptBytes().size()).isEqualTo(16_384);
        assertThat(request.receivedBytes()).isEqualTo(16_385);
    }

    @Test
    void invalidUtf8AndControlCharactersAreBinary() {
        byte[] notText = {(byte) 0xC3, 0x28, (byte) 0xFF};
        var request = sentAndKept(always(kept -> kept), notText, "Content-Type", "application/json");
        assertThat(request.bodyText()).isEmpty();
        assertThat(request.keptBytes()).isEqualTo(Payload.of(notText));
        assertThat(request.bodySummary()).isEqualTo("3 bytes of application/json");

        exchanges.getFirst().complete(Outcome.Answer.of(201, new byte[0]));
        assertThat(request.withBody("a\u001b[2J".getBytes(UTF_8)).bodyText()).isEmpty();
    }

    @Test
    void compressedBodyIsBinaryAndIsNotKeptWhereFieldsAreRedacted() throws IOException {
        var zipped = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(zipped)) {
            zip.write(CARD.getBytes(UTF_8));
        }

        var request = sentAndKept(always(kept -> kept), zipped.toByteArray(), "Content-Encoding", "gzip");
        assertThat(request.bodyText()).isEmpty();
        assertThat(request.keptBytes()).isEqualTo(Payload.of(zipped.toByteArray()));

        var redacted = new RedactedJsonFields(List.of("/card"));
        assertThat(redacted.replaceIn(zipped.toByteArray())).isEmpty();
    }

    @Test
    void redactedFieldsAreReplacedAndTheRestStays() {
        var request = sentAndKept(always(kept -> kept.withRedactedFields(List.of("/card/number", "/absent/x"))), CARD);

        assertThat(request.bodyText())
                .contains("{\"amount\":1.10,\"card\":{\"number\":\"[redacted]\"},\"to\":\"ann\"}");
    }

    @Test
    void redactedFieldsReachIntoNestedArrays() {
        String body =
                "{\"lines\":[{\"to\":[{\"iban\":1},{\"iban\":[2]}]},{\"to\":[{\"iban\":null}]}],\"a/b\":{\"~\":\"x\"},\"pins\":[1,2]}";
        var fields = new RedactedJsonFields(List.of("/lines/*/to/*/iban", "/a~1b/~0", "/pins/1"));

        assertThat(new String(fields.replaceIn(body.getBytes(UTF_8)).orElseThrow(), UTF_8))
                .isEqualTo(
                        "{\"lines\":[{\"to\":[{\"iban\":\"[redacted]\"},{\"iban\":\"[redacted]\"}]},{\"to\":[{\"iban\":\"[redacted]\"}]}],"
                                + "\"a/b\":{\"~\":\"[redacted]\"},\"pins\":[1,\"[redacted]\"]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "card=4242",
                "{\"card\":\"4242\"",
                "{\"card\":\"4242\"} x",
                "{\"card\":\"4242\",\"card\":1}",
                "{\"x\":{\"card\":1,\"card\":\"4242\"}}"
            })
    void bodyThatCannotBeRedactedIsNotKept(String body) {
        var request = sentAndKept(always(kept -> kept.withRedactedFields(List.of("/card"))), body);

        assertThat(request.body()).isInstanceOf(KeptBody.WithheldBody.class);
        assertThat(request.bodyText()).isEmpty();
        assertThat(request.bodySummary()).contains(body.length() + " bytes").contains("not valid JSON");
        assertThat(new String(request.encode().bytes(), UTF_8)).doesNotContain("4242");
    }

    @Test
    void deeplyNestedBodyIsNotKeptAndFailsNothing() {
        String body = "[".repeat(100_000);

        var request = sentAndKept(always(kept -> kept.withRedactedFields(List.of("/card"))), body);

        assertThat(request.body()).isInstanceOf(KeptBody.WithheldBody.class);
    }

    @Test
    void redactorDecidesWhatIsKept() {
        KeptRequestRedactor redactor = request -> Optional.of(request.withBody(
                request.bodyText().orElseThrow().replace("ann", "…").getBytes(UTF_8)));
        assertThat(sentAndKept(always(kept -> kept.with(redactor)), CARD).bodyText())
                .contains(CARD.replace("ann", "…"));

        exchanges.getFirst().complete(Outcome.Answer.of(201, new byte[0]));
        assertThat(redactor.andThen(request -> Optional.empty())
                        .redact(new KeptRequest(
                                "POST", "/", List.of(), 0, new KeptBody.WholeBody(Payload.of(new byte[0])))))
                .isEmpty();
    }

    @Test
    void redactorThatThrowsKeepsNothingAndFailsNothing() {
        var route = route(
                memory,
                always(kept -> kept.with((KeptRequestRedactor) request -> {
                    throw new IllegalStateException("broken");
                })));

        assertThat(send(route, CARD.getBytes(UTF_8))).isInstanceOf(LeasedExchange.class);
        assertThat(kept()).isEmpty();
    }

    @Test
    void onlyListedHeadersAreKeptAndNeverCredentials() {
        var request = sentAndKept(
                always(kept -> kept),
                CARD,
                "Authorization",
                "Bearer secret",
                "Cookie",
                "session=secret",
                "X-Api-Key",
                "secret",
                "content-type",
                "application/json",
                "User-Agent",
                "x".repeat(5_000));
        assertThat(request.headers()).extracting(SentHeader::name).containsExactly("Content-Type", "User-Agent");
        assertThat(request.headers().getLast().value()).hasSize(1_001);
        assertThat(new String(request.encode().bytes(), UTF_8)).doesNotContain("secret");

        assertThatThrownBy(() -> KeptRequestPolicy.DEFAULT.withHeaders(Set.of("authorization")))
                .hasMessageContaining("kept-request-headers")
                .hasMessageContaining("credentials");
    }

    @Test
    void storeThatCannotKeepRequestsIsRefusedOnlyWhereTheyWereAskedFor() {
        var unable = like(Map.of(
                "ability",
                ability -> ((Optional<?>) ability).filter(a -> !(a instanceof KeptRequestReader)),
                "traits",
                traits -> ((StoreTraits) traits).withEncryption()));

        assertThatThrownBy(() -> route(unable, always(kept -> kept)))
                .isInstanceOf(MissingAbilityException.class)
                .hasMessageContaining("keep-request: always of POST /pay/{id}")
                .hasMessageContaining("kept requests");
        assertThat(route(unable, RoutePolicy.of(HOLD)).capture()).isEmpty();
    }

    @Test
    void bodyThatTheStoreCannotTakeIsLeftOut() {
        var small = like(Map.of("traits", traits -> ((StoreTraits) traits).withLimits(new StoreLimits(10, 1, 500))));

        send(route(small, always(kept -> kept).replay(replay -> replay.withMaxOutcomeBytes(100))), new byte[600]);

        assertThat(kept().orElseThrow().bodySummary()).contains("600 bytes").contains("larger than the store accepts");
    }

    @Test
    void bytesOfNoKeptRequestAreNotDecoded() {
        var request = sentAndKept(always(kept -> kept), CARD);
        byte[] bytes = request.encode().bytes();

        assertThat(KeptRequest.decode(request.encode())).contains(request);
        for (int length = 0; length < bytes.length; length++) {
            assertThat(KeptRequest.decode(Payload.of(Arrays.copyOf(bytes, length))))
                    .isEmpty();
        }
        assertThat(KeptRequest.decode(Payload.of(new byte[] {(byte) 0xE1, 1, 2})))
                .isEmpty();
        assertThat(request).asString().doesNotContain("4242");
    }
}
