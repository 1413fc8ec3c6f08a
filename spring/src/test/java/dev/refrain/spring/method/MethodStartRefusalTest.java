package dev.refrain.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.ValueCodec;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.spring.BootParts;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.SuspendingBean;
import dev.refrain.store.memory.MemoryStore;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is wrong with a protected method shows at the start, not at its first call. */
class MethodStartRefusalTest {

    record Order(String id, String tenant) {}

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BootParts.JACKSON, RefrainAutoConfiguration.class, RefrainMethodAutoConfiguration.class))
            .withPropertyValues("refrain.scope=shared")
            .withBean(MemoryStore.class, MemoryStore::new);

    private void isRefused(Class<?> bean, String... because) {
        application
                .withBean(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll(because));
    }

    static class Unreadable {
        @Idempotent(key = "#order.", mode = Idempotent.Mode.LEASED_RESUME)
        public void place(Order order) {}
    }

    static class Misspelt {
        @Idempotent(key = "#oder.id", mode = Idempotent.Mode.LEASED_RESUME)
        public void place(Order order) {}
    }

    static class NoProperty {
        @Idempotent(key = "#order.number", mode = Idempotent.Mode.LEASED_RESUME)
        public void place(Order order) {}
    }

    static class WrongScope {
        @Idempotent(key = "#order.id", scope = "#tenant", mode = Idempotent.Mode.LEASED_RESUME)
        public void place(Order order) {}
    }

    @Test
    void expressionThatCannotBeReadIsRefused() {
        isRefused(Unreadable.class, "Unreadable.place: its key expression '#order.' cannot be read", "#order");
    }

    @Test
    void expressionWithUnknownParameterIsRefused() {
        isRefused(Misspelt.class, "Misspelt.place: its key expression '#oder.id' uses #oder", "Use one of #order");
        isRefused(WrongScope.class, "WrongScope.place: its scope expression '#tenant' uses #tenant");
    }

    @Test
    void expressionWithUnknownPropertyIsRefused() {
        isRefused(NoProperty.class, "NoProperty.place: its key expression '#order.number' uses 'number'", "Order");
    }

    static class Right {
        @Idempotent(key = "#order.id + '-' + #a0.tenant().length + #list[0]", mode = Idempotent.Mode.LEASED_RESUME)
        public String place(Order order, List<String> list) {
            return order.id();
        }
    }

    @Test
    void rightExpressionStartsAndYieldsTheKey() {
        application.withBean(Right.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Right.class).place(new Order("7", "shop"), List.of("x")))
                    .isEqualTo("7");
        });
    }

    static class Polled {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, inFlight = "async")
        public void pay(String id) {}
    }

    static class Optionally {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME, keyRequirement = Idempotent.Requirement.OPTIONAL)
        public void pay(String id) {}
    }

    @Test
    void settingThatGoesWithHttpHandlersOnlyIsRefused() {
        isRefused(Polled.class, "Polled.pay: @Idempotent.inFlight is async", "Set it to reject or wait");
        isRefused(Optionally.class, "Optionally.pay: keyRequirement goes with HTTP handlers only", "Remove it");
    }

    interface Receipt {}

    static class AbstractResult {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public List<Receipt> pay(String id) {
            return List.of();
        }
    }

    /** Its work would be done, and every retry answered with an error. */
    @Test
    void methodWhoseResultCannotBeReadBackIsRefused() {
        isRefused(
                AbstractResult.class,
                "AbstractResult.pay is @Idempotent, but a retry could not be given its result",
                "Receipt> cannot be stored",
                "Change what the method returns");
    }

    static class NothingReturned {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public int count(String id) {
            return 1;
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public <T> Optional<T> find(String id) {
            return Optional.empty();
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public List<? extends Order> list(String id) {
            return List.of();
        }
    }

    @Test
    void methodThatReturnsNothingNumberOrWhatItsCallerChoosesStarts() {
        application
                .withBean(NothingReturned.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Wrapped {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public Optional<CompletableFuture<String>> find(String id) {
            return Optional.empty();
        }
    }

    @Test
    void methodThatReturnsFutureInsideOfAnotherTypeIsRefused() {
        isRefused(Wrapped.class, "Wrapped.find is @Idempotent but returns before its work is done");
    }

    static class Streams {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void upload(String id, InputStream content) {}
    }

    static class Callbacks {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void run(String id, Supplier<String> work) {}
    }

    static class Opaque {
        @SuppressWarnings("UnusedVariable")
        private final String secret = "hidden";
    }

    static class Opaques {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void pass(String id, Opaque value) {}
    }

    record Upload(String name, InputStream content) {}

    record Tree(String name, List<Tree> below, @JsonIgnore Runnable listener) {}

    static class Uploads {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void upload(String id, List<Optional<Upload>> uploads) {}
    }

    static class Lists {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void upload(String id, List<InputStream> contents) {}
    }

    static class Arrays {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void run(String id, Runnable[] work) {}
    }

    static class Trees {
        @Idempotent(key = "#tree.name", mode = Idempotent.Mode.LEASED_RESUME)
        public void plant(Tree tree) {}
    }

    @Test
    void recordThatHoldsItselfAndLeavesOutWhatCannotBeComparedStarts() {
        application.withBean(Trees.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Trees.class).plant(new Tree("oak", List.of(), () -> {}));
        });
    }

    @Test
    void partOfArgumentThatCannotBeComparedIsNamed() {
        isRefused(Uploads.class, "Uploads.upload", "of type List, which holds a InputStream, cannot be compared");
    }

    static class TextCodec implements ValueCodec {
        @Override
        public byte[] encode(Object value) {
            if (value instanceof String text) {
                return text.getBytes(StandardCharsets.UTF_8);
            }
            throw new IllegalArgumentException("Only text, please.");
        }

        @Override
        public Object decode(byte[] bytes, Type type) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** As without a JSON library: every call would fail. */
    @Test
    void codecThatTakesNoArgumentsIsRefused() {
        application
                .withBean(TextCodec.class)
                .withBean(Right.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("Right.place", "cannot be encoded", "Only text, please."));
    }

    /** The arguments are encoded by the Refrain that runs the method, which has a codec of its own. */
    @Test
    void codecOfApplicationsOwnRefrainIsTheOneThatIsChecked() {
        var textOnly = RefrainSettings.defaults().with(new TextCodec());
        application
                .withBean(Refrain.class, () -> Refrain.using(new MemoryStore(), textOnly))
                .withBean(Right.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContainingAll("Right.place", "cannot be encoded", "Only text, please."));
        application
                .withBean(Refrain.class, () -> Refrain.using(new MemoryStore()))
                .withBean(TextCodec.class)
                .withBean(Right.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Suspending {
        @Idempotent(key = "#a0", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}
    }

    @Test
    void functionThatSuspendsIsRefused() {
        var coroutines = SuspendingBean.like(Suspending.class, "Coroutines");
        application
                .withClassLoader(coroutines.getClassLoader())
                .withBean(coroutines)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(RefrainStartException.class)
                        .hasMessageContaining("Coroutines.pay is @Idempotent but is a suspend function"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Streams.class, Callbacks.class, Opaques.class, Uploads.class, Lists.class, Arrays.class})
    void argumentThatCannotBeComparedIsRefused(Class<?> bean) {
        isRefused(bean, bean.getSimpleName() + ".", "cannot be compared with that of a retry", "Pass its content");
    }

    static class Selfish {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}

        public void payAll(List<String> ids) {
            ids.forEach(id -> pay(id));
        }

        public void payTwo(String one, String other) {
            pay(one);
            List.of(other).forEach(this::pay);
        }
    }

    static class Careful {
        private final ObjectProvider<Careful> self;

        Careful(ObjectProvider<Careful> self) {
            this.self = self;
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}

        public void payAll(List<String> ids) {
            ids.forEach(id -> self.getObject().pay(id));
        }
    }

    @Test
    void callOfOwnProtectedMethodIsWarnedOf() {
        try (var captured = CapturedWarnings.of(IdempotentMethodInterceptor.class)) {
            application
                    .withBean(Selfish.class)
                    .withBean(Careful.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(captured.messages())
                    .satisfiesExactly(
                            all -> assertThat(all).contains("Selfish.payAll calls Selfish.pay", "UNPROTECTED"),
                            two -> assertThat(two).contains("Selfish.payTwo calls Selfish.pay"));
        }
    }

    static class Scoped {
        @Idempotent(key = "#id", scope = "''", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}
    }

    static class Unscoped {
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void refund(String id) {}

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void pay(String id) {}
    }

    /** Two tenants with the same key would get each other's results. */
    @Test
    void methodsWithoutScopeAreWarnedOfOnceUnlessThereIsOneTenant() {
        var started = application.withBean(Scoped.class).withBean(Unscoped.class);
        for (var scope : List.of("", "principal")) {
            try (var captured = CapturedWarnings.of(IdempotentMethodInterceptor.class)) {
                started.withPropertyValues("refrain.scope=" + scope)
                        .run(context -> assertThat(context).hasNotFailed());
                assertThat(captured.messages())
                        .singleElement()
                        .satisfies(warning -> assertThat(warning)
                                .contains("without a scope: Unscoped.pay, Unscoped.refund. ", "refrain.scope=shared"));
            }
        }
        try (var captured = CapturedWarnings.of(IdempotentMethodInterceptor.class)) {
            started.run(context -> assertThat(context).hasNotFailed());
            assertThat(captured.messages()).isEmpty();
        }
    }
}
