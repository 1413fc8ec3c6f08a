package dev.refrain.http.internal.settings;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;

/** Mode of a route, as a word of the settings. */
public enum ModeSetting {
    /** The handler's writes, the key and the response commit in one transaction. */
    TRANSACTIONAL,

    /** For work outside the keys' database: after a crash a retry runs it again, under the same derived keys. */
    LEASED_RESUME,

    /** For work outside the keys' database: after a crash the key needs attention, and the work never runs twice. */
    LEASED_HOLD,

    /** The handler runs a flow, which claims the key itself. */
    FLOW;

    public OperationMode mode() {
        return switch (this) {
            case TRANSACTIONAL -> OperationMode.transactional();
            case LEASED_RESUME -> OperationMode.leased(LeaseExpiryPolicy.RESUME);
            case LEASED_HOLD -> OperationMode.leased(LeaseExpiryPolicy.HOLD);
            case FLOW -> OperationMode.flow();
        };
    }

    /** Returns the word in settings. */
    @Override
    public String toString() {
        return SettingParser.word(this);
    }
}
