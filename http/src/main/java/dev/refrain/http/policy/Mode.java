package dev.refrain.http.policy;

import dev.refrain.store.TakeOver;
import java.util.Locale;

/** How the handler runs. There is no default: only its author knows. */
public sealed interface Mode {

    /** The handler's writes, the claim and the outcome commit in one database transaction. */
    record Transactional() implements Mode {
        @Override
        public String toString() {
            return "transactional";
        }
    }

    /** Claim; then the handler; then the outcome. */
    record Leased(TakeOver takeOver) implements Mode {
        @Override
        public String toString() {
            return "leased, " + takeOver.name().toLowerCase(Locale.ROOT) + " after a crash";
        }
    }

    /** The handler runs a flow, which claims the key itself and whose answer is the answer. */
    record Flow() implements Mode {
        @Override
        public String toString() {
            return "flow";
        }
    }

    static Mode flow() {
        return new Flow();
    }

    static Mode transactional() {
        return new Transactional();
    }

    static Mode leased(TakeOver takeOver) {
        return new Leased(takeOver);
    }
}
