package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Handlers of WebFlux, found by their annotation or by a declared route. */
class WebFluxHandlersTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    @RegisterExtension
    static final ReactiveTestServer SERVER = ReactiveTestServer.inMemory(Application.class);

    record Payment(@Min(1) int amount) {}

    record Claims(boolean ofThread, boolean ofExchange, boolean ofContext, boolean ofThreadLater) {}

    @ResponseStatus(HttpStatus.GONE)
    static class NoLongerThere extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @RestController
    static class Controller {

        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, operation = "pay")
        @ResponseStatus(HttpStatus.CREATED)
        Mono<Payment> pay(@Valid @RequestBody Payment payment) {
            return Mono.just(new Payment(payment.amount() + RUNS.incrementAndGet()));
        }

        @PostMapping("/late")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<String> late(@RequestBody Payment payment) {
            RUNS.incrementAndGet();
            return Mono.error(new ServerWebInputException("There is no such account."));
        }

        @PostMapping("/held")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Payment held(@Valid @RequestBody Payment payment) {
            return new Payment(RUNS.incrementAndGet());
        }

        @PostMapping("/limited")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Payment limited(@RequestParam @Min(1) int times) {
            return new Payment(RUNS.incrementAndGet());
        }

        @PostMapping("/reading")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        Mono<Payment> reading(@RequestBody Mono<Payment> payment) {
            RUNS.incrementAndGet();
            return payment;
        }

        @PostMapping("/claims")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<Claims> claims(ServerWebExchange exchange) {
            boolean ofThread = CurrentClaim.get().isPresent();
            return RefrainWebFilter.claim()
                    .publishOn(Schedulers.parallel())
                    .map(claim -> new Claims(
                            ofThread,
                            RefrainWebFilter.claim(exchange)
                                    .filter(claim::equals)
                                    .isPresent(),
                            true,
                            CurrentClaim.get().isPresent()));
        }

        @PostMapping("/gone")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Flux<Payment> gone() {
            RUNS.incrementAndGet();
            return Flux.error(new NoLongerThere());
        }

        @PostMapping("/form")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> form(ServerWebExchange exchange) {
            return exchange.getFormData().map(form -> form.getFirst("note") + RUNS.incrementAndGet());
        }

        @PostMapping("/headers")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> headers(ServerHttpResponse response) {
            response.beforeCommit(
                    () -> Mono.fromRunnable(() -> response.getHeaders().set("X-At-The-End", "kept")));
            return Mono.just("ok");
        }

        @PostMapping("/unmodified")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> unmodified(ServerWebExchange exchange) {
            return exchange.checkNotModified("\"old\"") ? Mono.empty() : Mono.just("changed");
        }
    }

    /** Answers what is not valid itself. */
    @RestController
    static class Explaining {

        @PostMapping("/explained")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Payment explained(@Valid @RequestBody Payment payment) {
            return new Payment(RUNS.incrementAndGet());
        }

        @ExceptionHandler(WebExchangeBindException.class)
        @ResponseStatus(HttpStatus.BAD_REQUEST)
        String explain(WebExchangeBindException invalid) {
            return invalid.getFieldErrorCount() + " wrong";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Controller.class, Explaining.class})
    static class Application {

        @Bean
        RouterFunction<ServerResponse> function() {
            return CountingEndpoint.at("/function", RUNS);
        }

        @Bean
        Route route() {
            return Route.of("POST /function", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)));
        }

        /** Reads the form, as one that looks for a token does, and marks every answer. */
        @Bean
        @Order(-1)
        WebFilter inFront() {
            var count = new AtomicInteger();
            return (exchange, chain) -> {
                exchange.getResponse().getHeaders().set("X-Request-Number", Integer.toString(count.incrementAndGet()));
                return exchange.getFormData().then(chain.filter(exchange));
            };
        }
    }

    @BeforeEach
    void nothingRan() {
        RUNS.set(0);
    }

    @Test
    void annotatedHandlerRunsOnceAndItsAnswerComesBack() throws Exception {
        var request = post("/payments").key(ReactiveTestServer.newKey()).json("{\"amount\":10}");

        var first = SERVER.send(request);
        var again = SERVER.send(request);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body()).isEqualTo("{\"amount\":11}");
        assertThat(again.replayed()).isTrue();
        assertThat(SERVER.send(post("/payments").json("{\"amount\":10}")).status())
                .isEqualTo(400);
        assertThat(SERVER.send(post("/refrain/contract.json").by("GET")).body()).contains("\"pay\"", "/function");
    }

    @Test
    void declaredRouteProtectsAFunctionalEndpoint() throws Exception {
        var request = post("/function").key(ReactiveTestServer.newKey()).body("text/plain", "run ");

        assertThat(SERVER.send(request).body()).isEqualTo("run 1");
        var again = SERVER.send(request);

        assertThat(again.body()).isEqualTo("run 1");
        assertThat(again.replayed()).isTrue();
    }

    @Test
    void claimIsInTheExchangeAndInTheContextAndOnTheThreadThatCallsTheHandler() throws Exception {
        var answer = SERVER.send(post("/claims").key(ReactiveTestServer.newKey()));

        assertThat(answer.body())
                .contains("\"ofThread\":true", "\"ofExchange\":true", "\"ofContext\":true", "\"ofThreadLater\":false");
    }

    @Test
    void refusalBySpringBeforeTheWorkConsumesNoKey() throws Exception {
        for (String path : List.of("/payments", "/held")) {
            String key = ReactiveTestServer.newKey();
            var invalid = post(path).key(key).json("{\"amount\":0}");

            assertThat(SERVER.send(invalid).status()).isEqualTo(400);
            assertThat(SERVER.stateOf(key)).as(path).isEqualTo(RecordState.RELEASED);
            var unreadable = post(path).key(ReactiveTestServer.newKey()).json("{\"amount\":");
            assertThat(SERVER.send(unreadable).status()).isEqualTo(400);
            assertThat(SERVER.send(unreadable).replayed()).isFalse();
            assertThat(SERVER.send(post(path).key(ReactiveTestServer.newKey()).body("text/plain", "1"))
                            .status())
                    .isEqualTo(415);
        }
        String key = ReactiveTestServer.newKey();
        assertThat(SERVER.send(post("/nowhere").key(key)).status()).isEqualTo(404);
        assertThat(SERVER.send(post("/payments").by("PUT").key(key)).status()).isEqualTo(405);
        assertThat(SERVER.send(post("/payments").key(key).json("{\"amount\":1}"))
                        .replayed())
                .isFalse();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void rejectedArgumentConsumesNoKeyAlsoWhereAnExceptionHandlerResponds() throws Exception {
        String key = ReactiveTestServer.newKey();
        var invalid = post("/explained").key(key).json("{\"amount\":0}");

        assertThat(SERVER.send(invalid).body()).isEqualTo("1 wrong");
        assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.RELEASED);
        assertThat(SERVER.send(invalid).replayed()).isFalse();
        assertThat(RUNS).hasValue(0);
    }

    /** WebFlux validates several arguments together after it has resolved each. */
    @Test
    void argumentThatIsInvalidByItselfConsumesNoKey() throws Exception {
        String key = ReactiveTestServer.newKey();

        assertThat(SERVER.send(post("/limited?times=0").key(key)).status()).isEqualTo(400);
        assertThat(SERVER.stateOf(key)).isEqualTo(RecordState.RELEASED);
        assertThat(RUNS).hasValue(0);
    }

    /** The handler has started before such a body is read. */
    @Test
    void bodyThatTheHandlerReadsItselfConsumesItsKey() throws Exception {
        var unreadable = post("/reading").key(ReactiveTestServer.newKey()).json("{\"amount\":");

        assertThat(SERVER.send(unreadable).status()).isEqualTo(400);
        assertThat(SERVER.send(unreadable).replayed()).isTrue();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void errorThatSaysItsStatusIsAnAnswer() throws Exception {
        var request = post("/gone").key(ReactiveTestServer.newKey());

        var first = SERVER.send(request);
        var again = SERVER.send(request);

        assertThat(first.status()).isEqualTo(410);
        assertThat(first.body()).contains("/gone");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(again.replayed()).isTrue();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void springExceptionAfterTheHandlerBeganIsAnAnswer() throws Exception {
        var unwritable = post("/payments")
                .key(ReactiveTestServer.newKey())
                .json("{\"amount\":1}")
                .line("Accept: image/png");
        assertThat(SERVER.send(unwritable).status()).isEqualTo(406);
        assertThat(SERVER.send(unwritable).replayed()).isTrue();

        var late = post("/late").key(ReactiveTestServer.newKey()).json("{\"amount\":0}");
        assertThat(SERVER.send(late).status()).isEqualTo(400);
        assertThat(SERVER.send(late).replayed()).isTrue();
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void formThatAFilterHasReadIsReadable() throws Exception {
        var request = post("/form")
                .key(ReactiveTestServer.newKey())
                .body("application/x-www-form-urlencoded", "note=a+%26%C3%A9&x=1");

        var first = SERVER.send(request);

        assertThat(new String(first.body().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .isEqualTo("a &\u00e91");
        assertThat(SERVER.send(request).replayed()).isTrue();
    }

    @Test
    void headersOfOthersAreTheirsAndThoseOfTheLastMomentAreTheHandlers() throws Exception {
        var request = post("/headers").key(ReactiveTestServer.newKey());

        var first = SERVER.send(request);
        var again = SERVER.send(request);

        assertThat(again.replayed()).isTrue();
        assertThat(again.all("X-Request-Number")).hasSize(1).isNotEqualTo(first.all("X-Request-Number"));
        assertThat(first.header("X-At-The-End")).hasValue("kept");
        assertThat(again.header("X-At-The-End")).hasValue("kept");
    }

    @Test
    void failedPreconditionIsTheHandlersAnswer() throws Exception {
        var request = post("/unmodified").key(ReactiveTestServer.newKey()).line("If-None-Match: \"old\"");

        assertThat(SERVER.send(request).status()).isEqualTo(412);
        var again = SERVER.send(request);

        assertThat(again.status()).isEqualTo(412);
        assertThat(again.replayed()).isTrue();
    }
}
