package dev.refrain.http;

import dev.refrain.api.LeaseExpiryPolicy;
import java.util.Locale;

/** Protection mode of a handler. There is no default: only the handler's author knows which mode is right. */
public sealed interface OperationMode {

    /** The handler's writes, the claim and the outcome commit in one database transaction. */
    record Transactional() implements OperationMode {
        @Override
        public String toString() {
            return "transactional";
        }
    }

    /** The key is claimed and committed first, then the handler runs, then the outcome is stored. */
    record Leased(LeaseExpiryPolicy takeOver) implements OperationMode {
        @Override
        public String toString() {
            return "leased, " + takeOver.name().toLowerCase(Locale.ROOT) + " after a crash";
        }
    }

    /** The handler runs a flow; the flow claims the key itself, and its result becomes the response. */
    record Flow() implements OperationMode {
        @Override
        public String toString() {
            return "flow";
        }
    }

    static OperationMode flow() {
        return new Flow();
    }

    static OperationMode transactional() {
        return new Transactional();
    }

    static OperationMode leased(LeaseExpiryPolicy takeOver) {
        return new Leased(takeOver);
    }
}
