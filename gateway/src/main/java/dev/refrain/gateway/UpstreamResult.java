package dev.refrain.gateway;

import dev.refrain.api.Outcome.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** How far a request to the service behind came. */
sealed interface UpstreamResult {

    /** No byte of it was sent: no connection, or none in time. */
    record NotSent(Throwable why) implements UpstreamResult {}

    /** It may have arrived, and there is no whole answer. */
    record Unanswered(Throwable why) implements UpstreamResult {}

    /**
     * It was answered.
     *
     * @param answer without headers that belong to one connection; its body may be the beginning only
     * @param steering what the service behind says about it, see {@link UpstreamOutcomeHeader}
     * @param rest what follows in the body, if it is too large to be held or is a stream
     */
    record Answered(Answer answer, Optional<String> steering, Optional<InputStream> rest) implements UpstreamResult {

        /** Nobody reads the rest of it. */
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
