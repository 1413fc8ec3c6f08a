package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.refrain.spring.test.AutoConfigureRefrain;
import dev.refrain.spring.test.ManualStoreClock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A slice with {@code @AutoConfigureRefrain} protects its handlers, without a database. */
@BootWebMvcTest
@AutoConfigureRefrain
@TestPropertySource(properties = {"refrain.scope=shared", "refrain.http.retention=24h"})
class WebMvcSliceTest {

    @Configuration(proxyBeanMethods = false)
    @Import({Payments.class, Charges.class})
    static class Application {}

    @RestController
    static class Payments {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/payments")
        @Idempotent
        @Transactional
        public String pay() {
            return "payment " + runs.incrementAndGet();
        }

        @PostMapping("/failures")
        @Idempotent
        @Transactional
        public String fail() {
            if (runs.incrementAndGet() % 2 == 1) {
                throw new IllegalStateException("no first time");
            }
            return "done";
        }
    }

    @RestController
    static class Charges {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String charge() {
            return "charge " + runs.incrementAndGet();
        }

        @PostMapping("/later-charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public Callable<String> chargeLater() {
            return () -> "charge " + runs.incrementAndGet();
        }
    }

    private final MockMvc http;
    private final ManualStoreClock clock;
    private final Payments payments;
    private final Charges charges;

    @Autowired
    WebMvcSliceTest(MockMvc http, ManualStoreClock clock, Payments payments, Charges charges) {
        this.http = http;
        this.clock = clock;
        this.payments = payments;
        this.charges = charges;
        payments.runs.set(0);
        charges.runs.set(0);
    }

    private MockHttpServletResponse send(String path, String key) throws Exception {
        return http.perform(request(path, key)).andReturn().getResponse();
    }

    private static MockHttpServletRequestBuilder request(String path, String key) {
        return post(path)
                .header("Idempotency-Key", '"' + key + '"')
                .contentType(MediaType.APPLICATION_JSON)
                .content("{}");
    }

    private void assertReplayed(String path, String key, String stored) throws Exception {
        var again = send(path, key);

        assertThat(again.getContentAsString()).isEqualTo(stored);
        assertThat(again.getHeader("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void retryOfATransactionalHandlerIsReplayed() throws Exception {
        String key = UUID.randomUUID().toString();

        assertThat(send("/payments", key).getContentAsString()).isEqualTo("payment 1");
        assertReplayed("/payments", key, "payment 1");
        assertThat(payments.runs).hasValue(1);
    }

    @Test
    void retryOfALeasedHandlerIsReplayed() throws Exception {
        String key = UUID.randomUUID().toString();

        assertThat(send("/charges", key).getContentAsString()).isEqualTo("charge 1");
        assertReplayed("/charges", key, "charge 1");
        assertThat(charges.runs).hasValue(1);
    }

    @Test
    void retryOfALeasedHandlerThatAnswersLaterIsReplayed() throws Exception {
        String key = UUID.randomUUID().toString();
        MvcResult started = http.perform(request("/later-charges", key)).andReturn();
        assertThat(started.getAsyncResult(30_000)).isEqualTo("charge 1");
        var first = http.perform(asyncDispatch(started)).andReturn().getResponse();

        assertThat(first.getContentAsString()).isEqualTo("charge 1");
        assertReplayed("/later-charges", key, "charge 1");
        assertThat(charges.runs).hasValue(1);
    }

    @Test
    void keyExpiresWhenTheClockIsMoved() throws Exception {
        String key = UUID.randomUUID().toString();
        send("/payments", key);

        clock.advance(Duration.ofHours(23));
        assertThat(send("/payments", key).getContentAsString()).isEqualTo("payment 1");
        clock.advance(Duration.ofHours(2));
        assertThat(send("/payments", key).getContentAsString()).isEqualTo("payment 2");
    }

    @Test
    void transactionalHandlerThatThrowsLeavesItsKeyFree() throws Exception {
        String key = UUID.randomUUID().toString();

        assertThatThrownBy(() -> send("/failures", key)).hasRootCauseMessage("no first time");
        assertThat(send("/failures", key).getContentAsString()).isEqualTo("done");
    }

    @Test
    void requestWithoutAKeyIsRefusedAsInTheApplication() throws Exception {
        assertThat(http.perform(post("/payments")).andReturn().getResponse().getStatus())
                .isEqualTo(400);
    }

    @Test
    void clockCannotBeSetBack() {
        assertThatThrownBy(() -> clock.advance(Duration.ofHours(-1))).hasMessageContaining("set back by PT1H");
    }
}
