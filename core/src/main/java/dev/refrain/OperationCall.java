package dev.refrain;

import java.util.Objects;
import java.util.Optional;

/**
 * One call of an operation: whose it is, its key, and what is asked. Immutable.
 *
 * <p>Built in named steps, so that scope and key cannot be swapped by mistake:
 *
 * {@snippet :
 * var call = OperationCall.scope(tenant).key(key).request(request);
 * }
 */
public final class OperationCall {

    private final String scope;
    private final String key;
    private final Object request;
    private final Optional<String> subject;

    private OperationCall(String scope, String key, Object request, Optional<String> subject) {
        this.scope = scope;
        this.key = key;
        this.request = request;
        this.subject = subject;
    }

    /**
     * Begins a call.
     *
     * @param scope whose key it is (tenant, account, principal): from the authenticated caller, never from what a client can forge; ""
     *     if there is only one
     */
    public static KeyStep scope(String scope) {
        return new KeyStep(Objects.requireNonNull(scope, "scope: use \"\" if there is only one"));
    }

    /** A call that lacks its key. */
    public static final class KeyStep {
        private final String scope;

        private KeyStep(String scope) {
            this.scope = scope;
        }

        /** @param key minted by the client, one for each intent */
        public RequestStep key(String key) {
            return new RequestStep(
                    scope, Objects.requireNonNull(key, "key: an operation without one cannot be told from its retry"));
        }
    }

    /** A call that lacks its request. */
    public static final class RequestStep {
        private final String scope;
        private final String key;

        private RequestStep(String scope, String key) {
            this.scope = scope;
            this.key = key;
        }

        /**
         * Completes the call.
         *
         * @param request what is asked: a {@link dev.refrain.api.RequestContent}, text, bytes, or a value for the codec. The same key
         *     with another request is refused. Sets in it count in the order in which they iterate, which differs between JVMs: give
         *     lists, or sorted sets
         */
        public OperationCall request(Object request) {
            return new OperationCall(scope, key, Objects.requireNonNull(request, "request"), Optional.empty());
        }
    }

    /** The same call, about this person: the record can be erased with them. */
    public OperationCall withSubject(String person) {
        return new OperationCall(scope, key, request, Optional.of(person));
    }

    public String scope() {
        return scope;
    }

    public String key() {
        return key;
    }

    public Object request() {
        return request;
    }

    /** The person the call is about. */
    public Optional<String> subject() {
        return subject;
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return "OperationCall[…]";
    }
}
