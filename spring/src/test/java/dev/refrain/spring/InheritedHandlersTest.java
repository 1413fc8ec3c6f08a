package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Controllers that inherit a handler: each has its own say about it. */
class InheritedHandlersTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    abstract static class Charging {
        @PostMapping("/charges")
        String charge() {
            RUNS.incrementAndGet();
            throw new IllegalStateException("Nobody knows how far it came.");
        }
    }

    @RestController
    @RequestMapping("/cards")
    @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
    static class Cards extends Charging {}

    @RestController
    @RequestMapping("/points")
    @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
    static class Points extends Charging {}

    @RestController
    @RequestMapping("/jokes")
    static class Jokes extends Charging {}

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void eachRunsInItsOwnWay(WebApplicationType type) throws Exception {
        try (var application = TestApplication.start(type, beans -> {}, Cards.class, Points.class, Jokes.class)) {
            assertThat(runs(application, "/cards/charges")).as("held").isEqualTo(1);
            assertThat(runs(application, "/points/charges")).as("resumed").isEqualTo(2);
            assertThat(application.send(post("/jokes/charges")).status())
                    .as("unprotected")
                    .isEqualTo(500);
        }
    }

    private static int runs(TestApplication application, String path) throws Exception {
        RUNS.set(0);
        var request = post(path).key(UUID.randomUUID().toString());
        application.send(request);
        application.send(request);
        return RUNS.get();
    }
}
