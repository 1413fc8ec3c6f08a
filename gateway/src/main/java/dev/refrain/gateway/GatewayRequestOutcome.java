package dev.refrain.gateway;

import dev.refrain.observe.CallObserver;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** What became of a request, in the words of the access log. */
enum GatewayRequestOutcome {
    /** It was not protected. */
    PASSED,
    /** It was refused before anything was claimed, or nothing could be asked. */
    REFUSED,
    /** It went to the service behind. */
    FIRST,
    /** It had been done, and its answer was given again. */
    REPLAYED,
    /** The same, after a wait. */
    WAITED,
    /** The same request was under way. */
    CONFLICT,
    /** Its key had been used for another request. */
    MISMATCH,
    /** Whether it took effect is not known. */
    ATTENTION,
    /** The service behind could not be reached, or did not answer and may be asked again. */
    UNREACHED;

    private static final String ATTRIBUTE = GatewayRequestOutcome.class.getName();
    private static final ThreadLocal<@Nullable TrackedRequest> CURRENT = new ThreadLocal<>();

    void attachTo(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** What is known of a request so far; empty for those that the gateway answers by itself. */
    static Optional<GatewayRequestOutcome> from(Request request) {
        return Optional.ofNullable((GatewayRequestOutcome) request.getAttribute(ATTRIBUTE));
    }

    /** What the protocol says on this thread is about this request, until that is closed. */
    static TrackedRequest track(Request request) {
        var note = new TrackedRequest(request);
        CURRENT.set(note);
        return note;
    }

    /** A request that is being asked about. */
    static final class TrackedRequest implements AutoCloseable {
        private final Request request;
        private boolean waited;

        private TrackedRequest(Request request) {
            this.request = request;
        }

        @Override
        public void close() {
            CURRENT.remove();
        }
    }

    /** Hears how calls end. */
    static RefrainListener listener() {
        return new RefrainListener() {
            @Override
            public void onEvent(RefrainEvent event) {
                var note = CURRENT.get();
                if (note != null && event instanceof RefrainEvent.Waited) {
                    note.waited = true;
                }
            }

            @Override
            public CallObserver onCall(String operation) {
                var note = CURRENT.get();
                return note == null ? CallObserver.NONE : new OutcomeWatch(note);
            }
        };
    }

    private record OutcomeWatch(TrackedRequest note) implements CallObserver {

        @Override
        public ThreadScope openScope() {
            return NONE.openScope();
        }

        @Override
        public void onEnd(CallEnd end) {
            var outcome = switch (end) {
                case RAN -> FIRST;
                case REPLAYED -> note.waited ? WAITED : REPLAYED;
                case IN_PROGRESS -> CONFLICT;
                case MISMATCH -> MISMATCH;
                case ATTENTION -> ATTENTION;
            };
            outcome.attachTo(note.request);
        }

        @Override
        public void onFailure(Throwable failure) {
            // What the client is told is told by whoever called.
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
