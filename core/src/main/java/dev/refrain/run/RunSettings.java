package dev.refrain.run;

import java.time.Duration;

/**
 * How one operation runs.
 *
 * @param patience how long a claim may wait for the store before the caller is told that it is out of reach
 */
public record RunSettings(
        String operation, Leasing leasing, Keeping keeping, InFlight inFlight, StoreAway storeAway, Duration patience) {

    /** What happens when the store cannot be asked. */
    public enum StoreAway {
        /** Nothing runs. */
        REFUSE,
        /** The work runs UNPROTECTED, and every such run is reported. */
        RUN_UNPROTECTED
    }
}
