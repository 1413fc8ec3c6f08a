package dev.refrain.spring.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.spring.BootParts;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A controller that calls its own protected handler is warned of: that call is not protected. */
class OwnHandlerCallTest {

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class, BootParts.WEB_MVC))
            .withPropertyValues("refrain.scope=shared")
            .withBean(MemoryStore.class, MemoryStore::new);

    @RestController
    static class Bulk {
        @PostMapping("/payments")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String pay(@RequestBody String order) {
            return "paid " + order;
        }

        @PostMapping("/payments/bulk")
        public void payAll(@RequestBody List<String> orders) {
            orders.forEach(this::pay);
        }
    }

    /** A proxy would not help: it intercepts no handler. */
    @RestController
    static class ThroughItself {
        private final ObjectProvider<ThroughItself> self;

        ThroughItself(ObjectProvider<ThroughItself> self) {
            this.self = self;
        }

        @PostMapping("/orders")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String order(@RequestBody String article) {
            return article;
        }

        @PostMapping("/orders/twice")
        public void orderTwice(@RequestBody String article) {
            self.getObject().order(article);
        }
    }

    /** Each request has one key, and all that it does is protected by that. */
    @RestController
    static class AllProtected {
        @PostMapping("/trips")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public String book(@RequestBody String trip) {
            return trip;
        }

        @PostMapping("/trips/old")
        @Idempotent(mode = Idempotent.Mode.LEASED_HOLD)
        public List<String> bookAll(@RequestBody List<String> trips) {
            return trips.stream().map(trip -> book("a " + trip)).toList();
        }

        @PostMapping("/trips/declared")
        public String bookDeclared(@RequestBody String trip) {
            return book(trip);
        }
    }

    @Test
    void unprotectedCallOfOwnHandlerIsWarnedOf() {
        try (var captured = CapturedWarnings.of(OwnHandlerCallWarning.class)) {
            application
                    .withBean(Bulk.class)
                    .withBean(ThroughItself.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(captured.messages())
                    .satisfiesExactlyInAnyOrder(
                            all -> assertThat(all).contains("Bulk.payAll calls Bulk.pay, ", "UNPROTECTED"),
                            twice ->
                                    assertThat(twice).contains("ThroughItself.orderTwice calls ThroughItself.order, "));
        }
    }

    @Test
    void callOfHandlerThatIsProtectedItselfIsNotWarnedOf() {
        var declared = Route.of("POST /trips/declared", RoutePolicy.of(OperationMode.flow()));
        try (var captured = CapturedWarnings.of(OwnHandlerCallWarning.class)) {
            application
                    .withBean(AllProtected.class)
                    .withBean(Route.class, () -> declared)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(captured.messages()).isEmpty();
        }
    }
}
