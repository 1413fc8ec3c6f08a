package dev.refrain.gateway;

import dev.refrain.api.Outcome.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Result of one call of the upstream. */
sealed interface UpstreamResult {

    /** Failure before any byte was sent: no connection, or none in time. */
    record NotSent(Throwable why) implements UpstreamResult {}

    /** Missing or incomplete response to a request that may have arrived. */
    record Unanswered(Throwable why) implements UpstreamResult {}

    /**
     * Response of the upstream.
     *
     *
     * @param answer without headers that belong to one connection; its body may be the beginning only
     * @param steering what the service behind says about it, see {@link UpstreamOutcomeHeader}
     * @param rest what follows in the body, if it is not held
     */
    record Answered(Answer answer, Optional<String> steering, Optional<PassedBody> rest) implements UpstreamResult {

        /** Closes the rest of the body without reading it. */
        void discard() {
            try {
                if (rest.isPresent()) {
                    rest.get().rest().close();
                }
            } catch (IOException gone) {
                // It is not wanted anyway.
            }
        }
    }

    /** Rest of a body that is passed on as it comes, and why it is not held. */
    record PassedBody(InputStream rest, PassReason why) {}

    /** Reasons for passing a body on without holding it. */
    enum PassReason {
        STREAM("It is a stream."),
        TOO_LARGE("It is larger than what is kept."),
        NO_MEMORY("There was no memory for it (refrain.max-buffered-bytes).");

        private final String text;

        PassReason(String text) {
            this.text = text;
        }

        /** Returns the reason for people. */
        String text() {
            return text;
        }
    }
}
