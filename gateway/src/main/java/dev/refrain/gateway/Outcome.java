package dev.refrain.gateway;

import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.observe.Watch;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** What became of a request, in the words of the access log. */
enum Outcome {
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

    private static final String ATTRIBUTE = Outcome.class.getName();
    private static final ThreadLocal<@Nullable Note> CURRENT = new ThreadLocal<>();

    void attachTo(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** What is known of a request so far; empty for those that the gateway answers by itself. */
    static Optional<Outcome> from(Request request) {
        return Optional.ofNullable((Outcome) request.getAttribute(ATTRIBUTE));
    }

    /** What the protocol says on this thread is about this request, until that is closed. */
    static Note track(Request request) {
        var note = new Note(request);
        CURRENT.set(note);
        return note;
    }

    /** A request that is being asked about. */
    static final class Note implements AutoCloseable {
        private final Request request;
        private boolean waited;

        private Note(Request request) {
            this.request = request;
        }

        @Override
        public void close() {
            CURRENT.remove();
        }
    }

    /** Hears how calls end. */
    static Listener listener() {
        return new Listener() {
            @Override
            public void onEvent(Event event) {
                var note = CURRENT.get();
                if (note != null && event instanceof Event.Waited) {
                    note.waited = true;
                }
            }

            @Override
            public Watch onCall(String operation) {
                var note = CURRENT.get();
                return note == null ? Watch.NONE : new Ending(note);
            }
        };
    }

    private record Ending(Note note) implements Watch {

        @Override
        public Here openScope() {
            return NONE.openScope();
        }

        @Override
        public void onEnd(End end, Optional<RecordId> record) {
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
