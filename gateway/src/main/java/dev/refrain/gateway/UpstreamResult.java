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
     * @param rest what follows in the body, if it is too large to be held or is a stream
     */
    record Answered(Answer answer, Optional<String> steering, Optional<InputStream> rest) implements UpstreamResult {

        /** Closes the rest of the body without reading it. */
        void discard() {
            try {
                if (rest.isPresent()) {
                    rest.get().close();
                }
            } catch (IOException gone) {
                // It is not wanted anyway.
            }
        }
    }
}
