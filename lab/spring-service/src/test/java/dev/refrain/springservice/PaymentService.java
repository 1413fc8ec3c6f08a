package dev.refrain.springservice;

import dev.refrain.spring.Idempotent;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import jakarta.servlet.DispatcherType;
import java.security.Principal;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** A service with JPA and Spring Security. Of Refrain it has the starter and two annotations. */
@SpringBootApplication
class PaymentService {

    @Entity
    @Table(name = "payment")
    static class Payment {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        String payer = "";
        long amount;
    }

    record PaymentRequest(long amount) {}

    record PaymentResponse(long id, String payer, long amount) {}

    @RestController
    static class PaymentController {
        @PersistenceContext
        private EntityManager entities;

        @PostMapping("/forms/payments")
        @Idempotent
        @Transactional
        public PaymentResponse payByForm(@RequestBody PaymentRequest request, Principal payer) {
            return pay(request, payer);
        }

        @PostMapping("/payments")
        @Idempotent
        @Transactional
        public PaymentResponse pay(@RequestBody PaymentRequest request, Principal payer) {
            var payment = new Payment();
            payment.payer = payer.getName();
            payment.amount = request.amount();
            entities.persist(payment);
            return new PaymentResponse(payment.id, payment.payer, payment.amount);
        }

        @PostMapping("/reminders")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        public String remind(@RequestBody String whom) {
            return "reminded";
        }
    }

    /** As in the quick start for browsers. */
    @Bean
    WebMvcConfigurer pagesOfTheShop() {
        return new WebMvcConfigurer() {
            @Override
            public void addCorsMappings(CorsRegistry registry) {
                registry.addMapping("/**")
                        .allowedOrigins("https://shop.example")
                        .allowedMethods("GET", "POST")
                        .allowedHeaders("Authorization", "Content-Type", "Idempotency-Key")
                        .exposedHeaders("Idempotent-Replayed", "Retry-After", "Location", "Link");
            }
        };
    }

    /** The API takes HTTP Basic; forms need a token against forgery. */
    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.ignoringRequestMatchers("/payments", "/reminders"))
                .cors(Customizer.withDefaults())
                .httpBasic(Customizer.withDefaults())
                .authorizeHttpRequests(all -> all.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .build();
    }

    @Bean
    InMemoryUserDetailsManager users() {
        return new InMemoryUserDetailsManager(user("alice"), user("bob"));
    }

    private static org.springframework.security.core.userdetails.UserDetails user(String name) {
        return User.withUsername(name).password("{noop}secret").roles("USER").build();
    }
}
