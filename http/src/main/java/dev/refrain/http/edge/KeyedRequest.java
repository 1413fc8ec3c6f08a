package dev.refrain.http.edge;

import dev.refrain.OperationCall;
import dev.refrain.api.AnswerHeader;
import dev.refrain.observe.LoggedKeyFormat;
import java.util.List;
import java.util.Optional;
import org.greenbytes.http.sfv.StringItem;

/**
 * A request with its key. Immutable.
 *
 * @param target method and path, for logs
 * @param logged how the log shows its key
 * @param minted the key, if Refrain generated it
 * @param prefersAsync whether the client prefers a 202 with a status URL over waiting
 * @param memory the memory of the exchange
 */
record KeyedRequest(
        String target,
        OperationCall call,
        LoggedKeyFormat logged,
        Optional<String> minted,
        boolean prefersAsync,
        BufferReservation memory) {

    /** Returns this request without the asynchronous preference, for a response after the handler has run. */
    KeyedRequest afterRun() {
        return new KeyedRequest(target, call, logged, minted, false, memory);
    }

    /**
     * Returns the response header with a generated key, so that the client can retry under it; empty for a key of the client's
     * own.
     */
    List<AnswerHeader> headers() {
        return minted.map(key -> List.of(new AnswerHeader(
                        "Idempotency-Key", StringItem.valueOf(key).serialize())))
                .orElse(List.of());
    }
}
