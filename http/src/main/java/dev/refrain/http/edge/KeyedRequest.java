package dev.refrain.http.edge;

import dev.refrain.OperationCall;
import dev.refrain.api.OutcomeHeader;
import java.util.List;
import java.util.Optional;
import org.greenbytes.http.sfv.StringItem;

/**
 * A request with its key.
 *
 * @param minted the key, if it was made here
 * @param prefersAsync whether the client would rather be told where to look than wait
 */
record KeyedRequest(OperationCall call, Optional<String> minted, boolean prefersAsync) {

    /** The same for an answer that comes after the handler ran: there is nothing left to look for later. */
    KeyedRequest afterRun() {
        return new KeyedRequest(call, minted, false);
    }

    /** A key that was made here is told, so that the client can retry under it. */
    List<OutcomeHeader> headers() {
        return minted.map(key -> List.of(new OutcomeHeader(
                        "Idempotency-Key", StringItem.valueOf(key).serialize())))
                .orElse(List.of());
    }
}
