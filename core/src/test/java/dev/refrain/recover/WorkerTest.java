package dev.refrain.recover;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.observe.Event;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Events;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerTest {

    private static final Duration EVERY = Duration.ofSeconds(15);

    private final ManualEnvironment environment = new ManualEnvironment();
    private final Events events = new Events();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile BooleanSupplier work = () -> false;
    private final Worker worker = new Worker(
            new Chore() {
                @Override
                public String name() {
                    return "chore";
                }

                @Override
                public boolean runStep() {
                    steps.incrementAndGet();
                    return work.getAsBoolean();
                }
            },
            EVERY,
            environment,
            events);

    @AfterEach
    void close() {
        worker.close();
    }

    /** One round begins, and when it is over the next one is planned. */
    private void aRoundGoesBy() {
        until(() -> environment.alarms() == 1);
        environment.advance(EVERY);
    }

    @Test
    void it_works_now_and_then_and_not_at_once() {
        worker.start();
        environment.advance(EVERY.minusNanos(1));
        assertThat(steps).hasValue(0);

        environment.advance(Duration.ofNanos(1));
        until(() -> steps.get() == 1);
        aRoundGoesBy();
        until(() -> steps.get() == 2);
    }

    @Test
    void while_there_is_more_it_goes_on_but_rests_four_times_as_long_as_a_step_took() {
        var took = Duration.ofMillis(10);
        work = () -> {
            environment.advance(took);
            return steps.get() < 3;
        };
        worker.start();
        environment.advance(EVERY);
        until(() -> steps.get() == 1 && environment.alarms() == 1);

        environment.advance(took.multipliedBy(4).minusNanos(1));
        assertThat(steps).hasValue(1);
        environment.advance(Duration.ofNanos(1));
        until(() -> steps.get() == 2 && environment.alarms() == 1);
        environment.advance(took.multipliedBy(4));
        until(() -> steps.get() == 3);
    }

    @Test
    void a_store_that_fails_is_told_and_the_next_round_comes_all_the_same() {
        work = () -> {
            throw steps.get() == 1
                    ? StoreException.unavailable("away", Effect.NONE, null)
                    : new IllegalStateException("a defect");
        };
        worker.start();
        aRoundGoesBy();
        aRoundGoesBy();
        aRoundGoesBy();
        until(() -> steps.get() == 3);

        assertThat(events.of(Event.StoreFailed.class))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(e -> assertThat(e.call()).isEqualTo("chore"));
    }

    @Test
    void closed_it_begins_nothing_more_and_keeps_no_timer() {
        worker.start();
        aRoundGoesBy();
        until(() -> environment.alarms() == 1);

        worker.close();

        assertThat(environment.alarms()).isZero();
        environment.advance(EVERY.multipliedBy(10));
        assertThat(steps).hasValue(1);
    }

    @Test
    void closed_while_it_works_it_ends_after_the_step() {
        var gate = new Gate();
        work = () -> {
            gate.pass();
            return true;
        };
        worker.start();
        environment.advance(EVERY);
        gate.awaitArrival();

        worker.close();
        gate.open();

        until(() -> {
            environment.advance(EVERY);
            return environment.alarms() == 0;
        });
        assertThat(steps).hasValue(1);
    }
}
