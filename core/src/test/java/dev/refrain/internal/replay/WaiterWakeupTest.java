package dev.refrain.internal.replay;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.Store;
import dev.refrain.store.WakeupChannel;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.ThreadGate;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Wake-ups of the store: a caller that waits long watches the record, and reads it when it is woken. */
class WaiterWakeupTest extends WaiterTestBase {

    /** Remembers what is watched, and wakes when the test says so. */
    private static final class ManualWakeups implements WakeupChannel, WakeupChannel.RecordWatch {
        private final List<Consumer<KeyHash>> woken = new CopyOnWriteArrayList<>();
        private final Set<KeyHash> watched = ConcurrentHashMap.newKeySet();
        private volatile boolean closed;

        @Override
        public RecordWatch openWatch(Consumer<KeyHash> changed) {
            woken.add(changed);
            return this;
        }

        void wakeAll() {
            new ArrayList<>(watched).forEach(lookup -> woken.forEach(each -> each.accept(lookup)));
        }

        @Override
        public void watch(KeyHash lookup) {
            watched.add(lookup);
        }

        @Override
        public void unwatch(KeyHash lookup) {
            watched.remove(lookup);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final ManualWakeups wakeups = new ManualWakeups();
    private final Refrain elsewhere = Refrain.using(withWakeups(world.store), world.settings());

    private Store withWakeups(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                    if (method.getName().equals("ability") && arguments[0].equals(WakeupChannel.class)) {
                        return Optional.of(wakeups);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private BackgroundCall<String> waiterElsewhere() {
        return waiter(pay(elsewhere, LeaseExpiryPolicy.RESUME, Duration.ofMinutes(1)));
    }

    /** Until it is watched, and polls are a second apart. */
    private void waitForLong() {
        advancing(
                world,
                Duration.ofMillis(100),
                () -> world.environment.nanoTime() > Duration.ofSeconds(5).toNanos());
        assertThat(wakeups.watched).hasSize(1);
        wakeups.wakeAll();
    }

    @Test
    void wakeupEndsTheWaitBeforeTheNextPoll() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiterElsewhere();
        waitForLong();
        gate.open();
        first.get();
        long before = world.environment.nanoTime();

        wakeups.wakeAll();

        assertThat(waiting.get()).isEqualTo("paid 1");
        assertThat(world.environment.nanoTime()).as("no poll was needed").isEqualTo(before);
    }

    @Test
    void waitThatTheFirstPollEndsIsNotWatched() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiterElsewhere();
        gate.open();
        first.get();

        advancing(world, Duration.ofMillis(20), waiting::isDone);

        assertThat(waiting.get()).isEqualTo("paid 1");
        assertThat(wakeups.watched).isEmpty();
    }

    @Test
    void keyIsNoLongerWatchedSoonAfterTheLastWaiterLeft() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiterElsewhere();
        waitForLong();
        gate.open();
        first.get();
        wakeups.wakeAll();
        waiting.get();

        advancing(world, Duration.ofMillis(500), () -> wakeups.watched.isEmpty());
    }

    @Test
    void wakeupForNothingLeavesEverybodyWaiting() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiterElsewhere();
        waitForLong();
        int reads = world.store.asked(StoreMethod.FIND).size();

        wakeups.wakeAll();
        until(() -> world.store.asked(StoreMethod.FIND).size() > reads);
        assertThat(waiting.isDone()).isFalse();

        gate.open();
        first.get();
        wakeups.wakeAll();
        assertThat(waiting.get()).isEqualTo("paid 1");
    }

    @Test
    void closingEndsTheWatch() {
        elsewhere.close(Duration.ZERO);

        assertThat(wakeups.closed).isTrue();
    }
}
