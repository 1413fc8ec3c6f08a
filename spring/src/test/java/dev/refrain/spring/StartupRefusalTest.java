package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.spring.method.RefrainMethodAutoConfiguration;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** What is wrong shows before the first request, in one clear sentence. */
class StartupRefusalTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class, BootParts.WEB_MVC))
            .withBean(MemoryStore.class, MemoryStore::new);

    @RestController
    static class Unsaid {
        @PostMapping("/payments")
        @Idempotent
        String create() {
            return "";
        }
    }

    @RestController
    static class Reading {
        @GetMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String read() {
            return "";
        }
    }

    @RestController
    static class Apart {
        @PostMapping("/payments")
        @Idempotent
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String create() {
            return "";
        }
    }

    @RestController
    static class Other {
        @PostMapping("/payments")
        @Idempotent
        @Transactional("ledger")
        public String create() {
            return "";
        }
    }

    static class Transactions {
        @Bean
        TransactionalRunner.Factory transactions() {
            return operation -> new TransactionalRunner() {
                @Override
                public <X extends Exception> OperationResult attempt(
                        OperationCall call, TransactionalHandler<X> handler) {
                    throw new IllegalStateException("Never asked.");
                }
            };
        }
    }

    static class TwoManagers extends Transactions {
        @Bean
        @Primary
        PlatformTransactionManager main() {
            return new PseudoTransactionManager();
        }

        @Bean
        PlatformTransactionManager ledger() {
            return new PseudoTransactionManager();
        }
    }

    private static void isRefused(WebApplicationContextRunner runner, Class<?> handlers, String... because) {
        runner.withPropertyValues("refrain.scope=shared")
                .withBean(handlers)
                .run(context -> assertThat(context).getFailure().hasMessageContainingAll(because));
    }

    /** Two managers are two commits. */
    @Test
    void handlerWithAnotherTransactionManagerThanItsKeysIsRefused() {
        isRefused(runner.withUserConfiguration(TwoManagers.class), Other.class, "Other.create", "ledger");
    }

    @RestController
    static class OwnKey {
        @PostMapping("/own-key")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, key = "#body")
        String create(@RequestBody String body) {
            return body;
        }
    }

    @RestController
    static class OwnScope {
        @PostMapping("/own-scope")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, scope = "#body")
        String create(@RequestBody String body) {
            return body;
        }
    }

    /** Ignored, tenants would share their keys although the code says otherwise. */
    @Test
    void handlerWithAnExpressionForKeyOrScopeIsRefused() {
        isRefused(runner, OwnKey.class, "OwnKey.create", "key or scope", "refrain.scope");
        isRefused(runner, OwnScope.class, "OwnScope.create", "key or scope", "refrain.scope");
    }

    /** It would commit by itself, before its key. */
    @Test
    void handlerWithAnotherTransactionThanItsKeyIsRefused() {
        isRefused(runner.withUserConfiguration(Transactions.class), Apart.class, "Apart.create", "REQUIRES_NEW");
    }

    @RestController
    static class Later {
        @PostMapping("/later")
        @Idempotent
        @Transactional
        public ResponseEntity<CompletableFuture<String>> create() {
            return ResponseEntity.ok(CompletableFuture.completedFuture(""));
        }
    }

    @RestController
    static class Reactive {
        @PostMapping("/reactive")
        @Idempotent(mode = Idempotent.Mode.TRANSACTIONAL)
        public Mono<String> create() {
            return Mono.just("");
        }
    }

    @RestController
    static class Streaming {
        @PostMapping("/streaming")
        @Idempotent
        @Transactional
        public StreamingResponseBody create() {
            return stream -> {};
        }
    }

    @RestController
    static class Suspending {
        @PostMapping("/suspending")
        @Idempotent
        @Transactional
        public Object create(@RequestBody String body) {
            return "";
        }
    }

    /** The work would go on after the commit, on another thread. */
    @Test
    void transactionalHandlerReturnsBeforeItsWorkIsDone() {
        var transactional = runner.withUserConfiguration(Transactions.class);
        isRefused(transactional, Later.class, "Later.create", "returns ResponseEntity", "LEASED_RESUME");
        isRefused(
                transactional,
                SuspendingBean.like(Suspending.class, "Coroutines"),
                "Coroutines.create",
                "is a suspend function",
                "LEASED_RESUME");
        isRefused(transactional, Reactive.class, "Reactive.create", "returns Mono", "on another thread");
        isRefused(transactional, Streaming.class, "Streaming.create", "returns StreamingResponseBody");
    }

    @Test
    void applicationWithoutAScopeIsRefused() {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("refrain.scope is not set")
                .hasMessageContaining("shared"));
    }

    @Test
    void handlerWithoutAModeIsRefused() {
        isRefused(runner, Unsaid.class, "Unsaid.create is @Idempotent but not @Transactional", "LEASED_RESUME");
    }

    @Test
    void handlerThatOnlyReadsIsRefused() {
        isRefused(runner, Reading.class, "Reading.read is @Idempotent but reads only");
    }

    @RestController
    static class WrongFields {
        @PostMapping("/fields")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, ignoredFields = "sentAt")
        public void create() {}
    }

    @RestController
    static class WrongWait {
        @PostMapping("/wait")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, inFlight = "queue")
        public void create() {}
    }

    @Test
    void wrongAttributeIsRefused() {
        isRefused(runner, WrongFields.class, "WrongFields.create: @Idempotent.ignoredFields: ", "'sentAt'");
        isRefused(runner, WrongWait.class, "WrongWait.create: @Idempotent.inFlight is 'queue', but may be reject");
    }

    @Test
    void wrongSettingIsRefused() {
        runner.withPropertyValues("refrain.scope=everybody")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("refrain.scope is 'everybody', but may be principal or shared."));
    }

    @RestController
    static class Unmapped {
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public void handle(String message) {}
    }

    /** It is no HTTP handler, so nothing would protect it. */
    @Test
    void methodOfAControllerIsNeitherMappedNorHasAKey() {
        isRefused(
                runner.withConfiguration(AutoConfigurations.of(RefrainMethodAutoConfiguration.class)),
                Unmapped.class,
                "Unmapped.handle is @Idempotent but not an HTTP handler, so it has no key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"refrain.waiters.per-scope=-1", "refrain.http.retention=soon", "refrain.routes.r.match=nonsense"
            })
    void settingIsWrongAndReported(String setting) {
        runner.withPropertyValues("refrain.scope=shared", setting).run(context -> {
            var analysis = new RefrainFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).as("%s", context.getStartupFailure()).isNotNull();
            assertThat(analysis.getDescription()).isNotBlank();
            assertThat(analysis.getAction()).isNotBlank();
        });
    }

    @Test
    void protectionCanBeSwitchedOff() {
        runner.withPropertyValues("refrain.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Refrain.class));
    }

    static class First {
        @Service
        static class Payments {
            @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
            public void pay(String id) {}
        }
    }

    @Service
    static class Keeping {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD, keepRequest = Idempotent.KeepRequest.ALWAYS)
        public void pay(String id) {}
    }

    /** It would be dropped in silence. */
    @Test
    void beanMethodHasNoRequestToKeep() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean(Keeping.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining(
                                "Keeping.pay: keepRequest and redactedFields go with HTTP handlers only"));
    }

    static class Second {
        @Service
        static class Payments {
            @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
            public void pay(String id) {}
        }
    }

    /** The second would be given what the first has done, and never run. */
    @Test
    void twoMethodsWouldShareTheirKeys() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean("first", First.Payments.class)
                .withBean("second", Second.Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Payments.pay")
                        .hasMessageContaining("@Idempotent.operation"));
    }

    @Service
    static class Finals {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        public final void pay(String id) {}
    }

    @Service
    static class Privates {
        @SuppressWarnings("UnusedMethod") // Who would call it, calls it here.
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        private void pay(String id) {}
    }

    @Service
    @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
    static class Wholes {
        public void pay(String id) {}
    }

    /** It would run unprotected, and nobody would know. */
    @ParameterizedTest
    @ValueSource(classes = {Finals.class, Privates.class, Wholes.class})
    void methodThatCannotBeInterceptedIsRefused(Class<?> bean) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean(bean)
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining(bean.getSimpleName()));
    }
}
