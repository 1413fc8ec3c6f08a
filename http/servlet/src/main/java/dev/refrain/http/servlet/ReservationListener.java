package dev.refrain.http.servlet;

import dev.refrain.http.edge.BufferReservation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps the memory of an exchange until the container has ended its asynchronous processing. */
final class ReservationListener implements AsyncListener {

    private final BufferReservation memory;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ReservationListener(BufferReservation memory) {
        this.memory = memory.retain();
    }

    static void closeAtEnd(BufferReservation memory, AsyncContext context) {
        context.addListener(new ReservationListener(memory));
    }

    /** Called once the response is complete: also after a time-out, an error, or when the client has disconnected. */
    @Override
    public void onComplete(AsyncEvent event) {
        if (closed.compareAndSet(false, true)) {
            memory.close();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** Stays registered: each new asynchronous cycle begins without listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
