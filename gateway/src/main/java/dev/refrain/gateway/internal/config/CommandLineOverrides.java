package dev.refrain.gateway.internal.config;

import java.util.Optional;

/** Settings from the command line, which override the file. */
public record CommandLineOverrides(
        Optional<String> upstream,
        Optional<String> listen,
        Optional<String> admin,
        Optional<String> store,
        Optional<String> replayFrom) {

    public static final CommandLineOverrides NONE =
            new CommandLineOverrides(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Overrides without a Redis that replays. */
    public CommandLineOverrides(
            Optional<String> upstream, Optional<String> listen, Optional<String> admin, Optional<String> store) {
        this(upstream, listen, admin, store, Optional.empty());
    }
}
