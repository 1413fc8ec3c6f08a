package dev.refrain.springservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.refrain.spring.Idempotent;
import dev.refrain.spring.test.AutoConfigureRefrain;
import java.security.Principal;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A slice with Spring Security and no setting of Refrain: keys are those of the authenticated caller, as in the application. */
@BootWebMvcTest
@AutoConfigureRefrain
class SecuredSliceTest {

    @Configuration(proxyBeanMethods = false)
    @Import(Payments.class)
    static class Application {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.ignoringRequestMatchers("/payments"))
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .build();
        }
    }

    @RestController
    static class Payments {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping({"/payments", "/forms/payments"})
        @Idempotent
        @Transactional
        public String pay(Principal payer) {
            return payer.getName() + " " + runs.incrementAndGet();
        }
    }

    private final MockMvc http;
    private final Payments payments;
    private final String key = UUID.randomUUID().toString();

    @Autowired
    SecuredSliceTest(MockMvc http, Payments payments) {
        this.http = http;
        this.payments = payments;
        payments.runs.set(0);
    }

    private MockHttpServletRequestBuilder request(String path) {
        return post(path)
                .header("Idempotency-Key", '"' + key + '"')
                .contentType(MediaType.APPLICATION_JSON)
                .content("{}");
    }

    private MockHttpServletResponse send(MockHttpServletRequestBuilder request) throws Exception {
        return http.perform(request).andReturn().getResponse();
    }

    @Test
    void keysAreThoseOfTheCaller() throws Exception {
        var first = send(request("/payments").with(user("alice")));
        var again = send(request("/payments").with(user("alice")));
        var ofBob = send(request("/payments").with(user("bob")));

        assertThat(first.getContentAsString()).isEqualTo("alice 1");
        assertThat(again.getContentAsString()).isEqualTo("alice 1");
        assertThat(again.getHeader("Idempotent-Replayed")).isEqualTo("true");
        assertThat(ofBob.getContentAsString()).isEqualTo("bob 2");
        assertThat(ofBob.getHeader("Idempotent-Replayed")).isNull();
    }

    @Test
    void unknownCallerConsumesNoKey() throws Exception {
        assertThat(send(request("/payments")).getStatus()).isEqualTo(401);
        assertThat(payments.runs).hasValue(0);

        assertThat(send(request("/payments").with(user("alice"))).getContentAsString())
                .isEqualTo("alice 1");
    }

    @Test
    void forgedFormConsumesNoKey() throws Exception {
        assertThat(send(request("/forms/payments").with(user("alice"))).getStatus())
                .isEqualTo(403);
        assertThat(payments.runs).hasValue(0);
    }
}
