package dev.refrain.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** How one attempt ended. */
sealed interface Tried {

    /** With the last word. */
    record Answered(Received received) implements Tried {}

    /** With an answer that is none yet: the request was not done, or is still being worked on. */
    record Refused(int status, Optional<Duration> retryAfter) implements Tried {}

    /** Without a whole answer: it may have taken effect, or never have arrived. */
    record Failed(IOException why) implements Tried {}
}
