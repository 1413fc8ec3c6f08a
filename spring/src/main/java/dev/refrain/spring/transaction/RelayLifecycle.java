package dev.refrain.spring.transaction;

import dev.refrain.outbox.Relay;
import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the relay from the moment the application is complete until it begins to stop, so that deliveries in progress can finish
 * while all other beans still work.
 */
final class RelayLifecycle implements SmartLifecycle {

    private final Relay.Builder<Connection> relay;
    private final Duration toFinish;
    private @Nullable Relay running;

    RelayLifecycle(Relay.Builder<Connection> relay, Duration toFinish) {
        this.relay = relay;
        this.toFinish = toFinish;
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            running = relay.start();
        }
    }

    @Override
    public synchronized void stop() {
        if (running != null) {
            running.close(toFinish);
            running = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }
}
