package dev.refrain.trials.kills;

import java.util.Locale;

/** Modes that are tried. Each has a namespace of its own. */
enum TrialMode {
    TRANSACTIONAL,
    RESUME,
    HOLD;

    String operation() {
        return "till." + name().toLowerCase(Locale.ROOT);
    }

    static TrialMode ofOperation(String operation) {
        return valueOf(operation.substring("till.".length()).toUpperCase(Locale.ROOT));
    }
}
