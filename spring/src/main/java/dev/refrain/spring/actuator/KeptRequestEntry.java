package dev.refrain.spring.actuator;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.refrain.http.KeptRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kept request of a record in the actuator's JSON, under the names that the command line uses too.
 *
 * @param body as text; null if it is not text, which {@code bodySummary} says
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeptRequestEntry(
        String method,
        String target,
        List<KeptRequest.SentHeader> headers,
        long receivedBytes,
        String bodySummary,
        @Nullable String body) {

    static KeptRequestEntry of(KeptRequest request) {
        return new KeptRequestEntry(
                request.method(),
                request.target(),
                request.headers(),
                request.receivedBytes(),
                request.bodySummary(),
                request.bodyText().orElse(null));
    }
}
