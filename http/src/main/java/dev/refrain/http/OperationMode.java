package dev.refrain.http;

import dev.refrain.api.LeaseExpiryPolicy;
import java.util.Locale;

/** How the handler runs. There is no default: only its author knows. */
public sealed interface OperationMode {

    /** The handler's writes, the claim and the outcome commit in one database transaction. */
    record Transactional() implements OperationMode {
        @Override
        public String toString() {
            return "transactional";
        }
    }

    /** Claim; then the handler; then the outcome. */
    record Leased(LeaseExpiryPolicy takeOver) implements OperationMode {
        @Override
        public String toString() {
            return "leased, " + takeOver.name().toLowerCase(Locale.ROOT) + " after a crash";
        }
    }

    /** The handler runs a flow, which claims the key itself and whose answer is the answer. */
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
