package dev.refrain.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.BootRetries;
import dev.refrain.spring.Idempotent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Publisher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Methods of beans, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotentMethodInvokerTest {

    record Order(String id, int amount) {}

    record Receipt(UUID id, List<Order> orders) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @BootRetries.Enabled
    @Import({Shop.class, Cards.class, Banks.class, Desk.class})
    static class Application {}

    @Service
    static class Shop {
        private final JdbcTemplate jdbc;
        int runs;
        int failures;
        final List<String> downstream = new ArrayList<>();

        Shop(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE sale (id text)");
        }

        @Idempotent(key = "#order.id", scope = "'shop'", mode = Idempotent.Mode.LEASED_RESUME)
        public List<Receipt> sell(Order order) {
            runs++;
            return List.of(new Receipt(UUID.randomUUID(), List.of(order)));
        }

        @Idempotent(key = "#order.id")
        @Transactional
        public int book(Order order) {
            runs++;
            jdbc.update("INSERT INTO sale VALUES (?)", order.id());
            if (order.amount() < 0) {
                throw new IllegalStateException("no");
            }
            return order.amount();
        }

        @BootRetries.Retried
        @Idempotent(key = "#order.id", mode = Idempotent.Mode.LEASED_RESUME)
        public String charge(Order order) {
            runs++;
            downstream.add(CurrentClaim.get().orElseThrow().derivedKey("charge"));
            if (failures-- > 0) {
                throw new IllegalStateException("the provider is away");
            }
            return "charged";
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_HOLD)
        public void tell(String id) {
            runs++;
        }

        /** Of an address JSON shows nothing. */
        static final class Address {
            private final String street;

            Address(String street) {
                this.street = street;
            }

            String label() {
                return "To " + street;
            }
        }

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public String ship(String id, Object to) {
            runs++;
            return ((Address) to).label();
        }

        /** Leased, with a transaction of its own. */
        @Idempotent(key = "#order.id", mode = Idempotent.Mode.LEASED_RESUME)
        @Transactional
        public int enter(Order order) {
            runs++;
            jdbc.update("INSERT INTO sale VALUES (?)", order.id());
            return order.amount();
        }

        int sales() {
            return jdbc.queryForObject("SELECT count(*) FROM sale", Integer.class);
        }
    }

    static class Later {
        @Idempotent(key = "#order.id", mode = Idempotent.Mode.LEASED_RESUME)
        public CompletionStage<Order> later(Order order) {
            return CompletableFuture.completedFuture(order);
        }
    }

    static class Published {
        @Idempotent(key = "#order.id", mode = Idempotent.Mode.LEASED_RESUME)
        public Publisher<Order> published(Order order) {
            return Mono.just(order);
        }
    }

    /** What several services have in common. */
    abstract static class Payments<T> {
        int runs;

        @Idempotent(key = "#order.id", mode = Idempotent.Mode.LEASED_RESUME)
        public T pay(Order order) {
            runs++;
            return paid(order);
        }

        abstract T paid(Order order);

        int runs() {
            return runs;
        }
    }

    @Service
    static class Cards extends Payments<Receipt> {
        @Override
        Receipt paid(Order order) {
            return new Receipt(UUID.randomUUID(), List.of(order));
        }
    }

    @Service
    static class Banks extends Payments<Order> {
        @Override
        Order paid(Order order) {
            return order;
        }
    }

    /** A controller whose method is reached by something else than HTTP. */
    @Controller
    static class Desk {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public int serve(String id) {
            return runs.incrementAndGet();
        }
    }

    private ConfigurableApplicationContext context;
    private Shop shop;
    private TransactionTemplate transaction;

    @BeforeAll
    void start() {
        context = run(Application.class);
        shop = context.getBean(Shop.class);
        transaction = context.getBean(TransactionTemplate.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    private static ConfigurableApplicationContext run(Class<?>... parts) {
        return new SpringApplicationBuilder(parts)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=" + PostgresServer.shared().freshDatabase(),
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off");
    }

    @BeforeEach
    void clear() {
        target().runs = 0;
        target().failures = 0;
        target().downstream.clear();
        context.getBean(JdbcTemplate.class).update("DELETE FROM sale");
    }

    @AfterAll
    void stop() {
        context.close();
    }

    /** What is behind the proxy. */
    private Shop target() {
        return (Shop) org.springframework.test.util.AopTestUtils.getTargetObject(shop);
    }

    private static Order order(int amount) {
        return new Order(UUID.randomUUID().toString(), amount);
    }

    @Test
    void argumentOfWhichNothingShowsIsRefusedBecauseItWouldBeLikeAnyOther() {
        assertThatThrownBy(() -> shop.ship(UUID.randomUUID().toString(), new Shop.Address("Elm Street")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shop.ship")
                .hasMessageContaining("cannot be fingerprinted");
        assertThat(target().runs).isZero();
    }

    @Test
    void retryIsGivenTheSameValueWithItsTypes() {
        var order = order(12);

        var first = shop.sell(order);
        var again = shop.sell(order);

        assertThat(again).isEqualTo(first);
        assertThat(again.getFirst().orders().getFirst()).isEqualTo(order);
        assertThat(target().runs).isEqualTo(1);
    }

    @Test
    void otherArgumentsUnderTheKeyAreRefused() {
        var order = order(12);
        shop.sell(order);

        assertThatThrownBy(() -> shop.sell(new Order(order.id(), 13))).isInstanceOf(RequestMismatchException.class);
    }

    @Test
    void nothingIsAnOutcomeToo() {
        String id = UUID.randomUUID().toString();
        shop.tell(id);
        shop.tell(id);

        assertThat(target().runs).isEqualTo(1);
    }

    @Test
    void transactionalWorkAndItsKeyAreOneCommit() {
        var order = order(12);

        assertThat(shop.book(order)).isEqualTo(12);
        assertThat(shop.book(order)).isEqualTo(12);
        assertThat(target().sales()).isEqualTo(1);

        var failing = order(-1);
        assertThatThrownBy(() -> shop.book(failing)).hasMessage("no");
        assertThatThrownBy(() -> shop.book(failing)).hasMessage("no");
        assertThat(target().sales()).isEqualTo(1);
        assertThat(target().runs).isEqualTo(3);
    }

    @Test
    void insideAnOpenTransactionItTakesPartInIt() {
        var order = order(12);

        transaction.executeWithoutResult(status -> {
            shop.book(order);
            status.setRollbackOnly();
        });
        assertThat(target().sales()).as("rolled back, key and all").isZero();

        transaction.executeWithoutResult(status -> shop.book(order));
        shop.book(order);
        assertThat(target().sales()).isEqualTo(1);
        assertThat(target().runs).isEqualTo(2);
    }

    /** A method that Spring retries runs under one key across its attempts: the provider sees one key. */
    @Test
    void allAttemptsOfARetriedMethodAreOneKeys() {
        target().failures = 2;

        assertThat(shop.charge(order(12))).isEqualTo("charged");

        assertThat(target().runs).isEqualTo(3);
        assertThat(target().downstream.stream().distinct()).hasSize(1);
    }

    /** Two beans that inherit one method are two operations: what one has done the other has not. */
    @Test
    void beansThatInheritAMethodDoNotShareTheirKeys() {
        var order = order(12);
        var cards = context.getBean(Cards.class);
        var banks = context.getBean(Banks.class);
        int before = banks.runs();

        cards.pay(order);

        assertThat(banks.pay(order)).isEqualTo(order);
        assertThat(banks.runs()).isEqualTo(before + 1);
    }

    @Test
    void replayHasTheTypeThatTheBeanGivesIt() {
        var order = order(12);
        var cards = context.getBean(Cards.class);

        Receipt first = cards.pay(order);
        Receipt again = cards.pay(order);

        assertThat(again).isEqualTo(first);
    }

    /** Its outcome would be stored before its work is committed, and stay if that is rolled back. */
    @Test
    void leasedWorkThatWouldCommitOnlyWithItsCallerIsNotBegun() {
        var order = order(12);

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    shop.enter(order);
                    status.setRollbackOnly();
                }))
                .hasMessageContaining("Shop.enter");
        assertThat(target().runs).isZero();

        shop.enter(order);
        assertThat(target().sales()).isEqualTo(1);
    }

    @Test
    void asynchronousMethodIsRefusedAtStart() {
        for (var early : List.of(Later.class, Published.class)) {
            assertThatThrownBy(() -> run(Empty.class, early).close()).hasMessageContaining("before its work is done");
        }
    }

    @Test
    void controllersMethodThatSaysItsKeyIsProtectedToo() {
        String id = UUID.randomUUID().toString();
        var desk = context.getBean(Desk.class);

        assertThat(desk.serve(id)).isEqualTo(desk.serve(id));
    }
}
