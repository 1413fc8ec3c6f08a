package dev.refrain.spring;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
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
@Import({PaymentsApplication.Payments.class, PaymentsApplication.Ledger.class})
class PaymentsApplication {

    record PaymentRequest(@Positive int amount) {}

    record Payment(UUID id, int amount) {}

    static final AtomicInteger RUNS = new AtomicInteger();

    /** As a process of its own: tells its port, and serves until it is killed. */
    public static void main(String[] arguments) {
        var context = start(arguments[0]);
        System.out.println("port " + context.getWebServer().getPort());
    }

    static ServletWebServerApplicationContext start(String url, String... arguments) {
        var all = new java.util.ArrayList<>(java.util.List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.hikari.maximum-pool-size=12",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=off",
                "--refrain.scope=one-tenant"));
        all.addAll(java.util.List.of(arguments));
        return (ServletWebServerApplicationContext)
                new SpringApplication(PaymentsApplication.class).run(all.toArray(String[]::new));
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
        @Idempotent(profile = "stripe")
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

        /** As Stripe's API has it, for its own client. */
        @PostMapping("/v1/charges")
        @Idempotent(profile = "stripe")
        @Transactional
        public java.util.Map<String, Object> charge(
                @RequestParam("amount") int amount, @RequestParam("currency") String currency) {
            RUNS.incrementAndGet();
            var payment = ledger.enter(amount, null);
            return java.util.Map.of(
                    "id",
                    "ch_" + payment.id(),
                    "object",
                    "charge",
                    "amount",
                    amount,
                    "currency",
                    currency,
                    "paid",
                    true);
        }

        @PostMapping("/elsewhere")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, retention = "7d", inFlight = "wait 5s")
        public Payment elsewhere(@RequestBody PaymentRequest request) {
            RUNS.incrementAndGet();
            return new Payment(UUID.randomUUID(), request.amount());
        }
    }
}
