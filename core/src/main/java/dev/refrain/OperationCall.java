package dev.refrain;

import java.util.Objects;
import java.util.Optional;

/**
 * One call of an operation.
 *
 * @param scope who asks (tenant, account, principal): from the authenticated caller, never from what a client can forge
 * @param key minted by the client, one for each intent
 * @param request what is asked: a {@link dev.refrain.api.RequestContent}, text, bytes, or a value for the codec. The same
 *     key with another request is refused. Sets in it count in the order in which they iterate, which differs between JVMs: give
 *     lists, or sorted ones
 * @param subject the person the call is about, so that the record can be erased with them
 */
public record OperationCall(String scope, String key, Object request, Optional<String> subject) {

    public OperationCall {
        Objects.requireNonNull(scope, "scope: use \"\" if there is only one");
        Objects.requireNonNull(key, "key: an operation without one cannot be told from its retry");
        Objects.requireNonNull(request, "request");
    }

    public static OperationCall of(String scope, String key, Object request) {
        return new OperationCall(scope, key, request, Optional.empty());
    }

    public OperationCall withSubject(String person) {
        return new OperationCall(scope, key, request, Optional.of(person));
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return "Call[…]";
    }
}
