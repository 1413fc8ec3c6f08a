package dev.refrain.spring;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A small application as a team would write it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({PaymentsTestApplication.Payments.class, PaymentsTestApplication.Ledger.class})
class PaymentsTestApplication {

    record PaymentRequest(@Positive int amount) {}

    record Payment(UUID id, int amount) {}

    static final AtomicInteger RUNS = new AtomicInteger();

    /** As a process of its own: tells its port, and serves until it is killed. */
    public static void main(String[] arguments) {
        var context = start(arguments[0]);
        System.out.println("port " + ServerPort.of(context));
    }

    static ConfigurableApplicationContext start(String url, String... arguments) {
        var all = new java.util.ArrayList<>(java.util.List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.hikari.maximum-pool-size=12",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=off",
                "--refrain.scope=shared"));
        all.addAll(java.util.List.of(arguments));
        return new SpringApplication(PaymentsTestApplication.class).run(all.toArray(String[]::new));
    }

    @Component
    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE IF NOT EXISTS account (id int PRIMARY KEY)");
            jdbc.execute("CREATE TABLE IF NOT EXISTS payment (id uuid PRIMARY KEY, amount int NOT NULL, account int"
                    + " REFERENCES account DEFERRABLE INITIALLY DEFERRED)");
        }

        /** Takes part in the transaction that is there. */
        @Transactional
        Payment enter(int amount, Integer account) {
            var payment = new Payment(UUID.randomUUID(), amount);
            jdbc.update("INSERT INTO payment VALUES (?, ?, ?)", payment.id(), amount, account);
            return payment;
        }

        /** Fails inside the transaction that is there, and so marks all of it to be rolled back. */
        @Transactional
        void fail() {
            throw new IllegalStateException("inside");
        }

        int payments() {
            return jdbc.queryForObject("SELECT count(*) FROM payment", Integer.class);
        }

        void clear() {
            jdbc.update("DELETE FROM payment");
            RUNS.set(0);
        }
    }

    @RestController
    static class Payments {
        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping("/payments")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent
        @Transactional
        public Payment create(@Valid @RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            return ledger.enter(request.amount(), null);
        }

        @PostMapping("/failing")
        @Idempotent(profile = Idempotent.Profile.STRIPE)
        @Transactional
        public Payment fail(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            ledger.enter(request.amount(), null);
            throw new IllegalStateException("after the payment");
        }

        /** The ledger's own transactional method fails inside, and the handler goes on: the whole is marked to be rolled back. */
        @PostMapping("/declined/{status}")
        @Idempotent
        @Transactional
        public Payment decline(@PathVariable("status") int status, @RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            ledger.enter(request.amount(), null);
            throw new ResponseStatusException(org.springframework.http.HttpStatusCode.valueOf(status), "declined");
        }

        @PostMapping("/no-such-account")
        @Idempotent
        @Transactional
        public Payment badAccount(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            return ledger.enter(request.amount(), 4711);
        }

        /** Something else is to be written before the commit, and is only known there. */
        @PostMapping("/with-synchronization")
        @Idempotent
        @Transactional
        public Payment synchronised(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    ledger.enter(request.amount(), null);
                    if (request.amount() == 13) {
                        throw new IllegalStateException("unlucky");
                    }
                }
            });
            return ledger.enter(request.amount(), null);
        }

        @PostMapping("/elsewhere")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, retention = "7d", inFlight = "wait 5s")
        public Payment elsewhere(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            return new Payment(UUID.randomUUID(), request.amount());
        }

        /** Goes on although something that took part in the transaction has failed. */
        @PostMapping("/swallowed")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent
        @Transactional
        public Payment swallow(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            var payment = ledger.enter(request.amount(), null);
            try {
                ledger.fail();
            } catch (IllegalStateException e) {
                // As handlers do.
            }
            return payment;
        }

        @PostMapping("/fails-after-commit")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent
        @Transactional
        public Payment failAfterCommit(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("a listener");
                }
            });
            return ledger.enter(request.amount(), null);
        }

        @PatchMapping("/forms")
        @Idempotent
        @Transactional
        public Payment form(@RequestParam("amount") int amount) {
            RUNS.incrementAndGet();
            return ledger.enter(amount, null);
        }
    }

    /** Stands behind protection and leads an old path to a handler, as a filter for trailing slashes does. */
    @Bean
    static FilterRegistrationBean<Filter> oldPaths() {
        var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
            var http = (HttpServletRequest) request;
            chain.doFilter(
                    http.getRequestURI().startsWith("/old")
                            ? new HttpServletRequestWrapper(http) {
                                @Override
                                public String getRequestURI() {
                                    return super.getRequestURI().substring("/old".length());
                                }

                                @Override
                                public String getServletPath() {
                                    return super.getServletPath().substring("/old".length());
                                }
                            }
                            : http,
                    response);
        });
        filter.setOrder(1000);
        return filter;
    }

    /** Stands in front of protection and holds a transaction open, which it takes back in the end. */
    @Bean
    static FilterRegistrationBean<Filter> aroundAll(PlatformTransactionManager manager) {
        var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
            if (((HttpServletRequest) request).getHeader("X-Around") == null) {
                chain.doFilter(request, response);
                return;
            }
            var status = manager.getTransaction(new DefaultTransactionDefinition());
            try {
                chain.doFilter(request, response);
            } finally {
                manager.rollback(status);
            }
        });
        filter.setOrder(-1000);
        return filter;
    }
}
