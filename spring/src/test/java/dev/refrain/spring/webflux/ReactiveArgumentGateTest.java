package dev.refrain.spring.webflux;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.CapturedWarnings;
import dev.refrain.spring.Idempotent;
import dev.refrain.store.RecordState;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;

/** Where another version of Spring keeps its argument resolvers elsewhere, a warning says so and a rejected request consumes its key. */
class ReactiveArgumentGateTest {

    record Charge(int amount) {}

    /** An adapter as of another version of Spring, whose field of this name is found before the one above it. */
    private static class OtherAdapter extends RequestMappingHandlerAdapter {
        @SuppressWarnings("UnusedVariable")
        private final @Nullable Object methodResolver;

        OtherAdapter(@Nullable Object methodResolver) {
            this.methodResolver = methodResolver;
        }
    }

    private record WithoutList(String name) {}

    private record ListNotMade(@Nullable List<HandlerMethodArgumentResolver> requestMappingResolvers) {}

    private record ListOfAnotherKind(String requestMappingResolvers) {}

    static Stream<RequestMappingHandlerAdapter> otherAdapters() {
        return Stream.of(
                new OtherAdapter(null),
                new OtherAdapter(new WithoutList("resolvers")),
                new OtherAdapter(new ListNotMade(null)),
                new OtherAdapter(new ListNotMade(List.of())),
                new OtherAdapter(new ListOfAnotherKind("resolvers")));
    }

    @ParameterizedTest
    @MethodSource("otherAdapters")
    void resolversThatCannotBeWatchedAreWarnedOf(RequestMappingHandlerAdapter adapter) {
        try (var captured = CapturedWarnings.of(ReactiveArgumentGate.class)) {
            new ReactiveArgumentGate(() -> List.of(adapter)).afterSingletonsInstantiated();
            assertThat(captured.messages())
                    .singleElement()
                    .satisfies(warning -> assertThat(warning).contains("Cannot watch", "consumes its key"));
        }
    }

    @RestController
    static class Shop {
        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        String charge(@RequestBody Charge charge) {
            return "charged";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnwatchableShop {

        @Bean
        Shop shop() {
            return new Shop();
        }

        /** Before the gate, which begins when all beans are made. */
        @Bean
        static BeanPostProcessor sealedResolvers() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof RequestMappingHandlerAdapter adapter) {
                        var fields = new DirectFieldAccessor(adapter);
                        String list = "methodResolver.requestMappingResolvers";
                        fields.setPropertyValue(list, List.copyOf((List<?>) fields.getPropertyValue(list)));
                    }
                    return bean;
                }
            };
        }
    }

    private static RecordState stateAfterUnreadableBody(Class<?> application) throws Exception {
        try (var server = ReactiveTestServer.inMemory(application)) {
            String key = ReactiveTestServer.newKey();
            assertThat(server.send(post("/charges").key(key).json("{no")).status())
                    .isEqualTo(400);
            return server.stateOf(key);
        }
    }

    @Test
    void rejectedRequestConsumesItsKeyWhereResolversCannotBeWatched() throws Exception {
        assertThat(stateAfterUnreadableBody(Shop.class)).isEqualTo(RecordState.RELEASED);
        assertThat(stateAfterUnreadableBody(UnwatchableShop.class)).isEqualTo(RecordState.COMPLETED);
    }
}
