package dev.refrain.gateway.config;

import java.util.Optional;

/** What the command line says; it goes before the file. */
public record CommandLineOverrides(
        Optional<String> upstream, Optional<String> listen, Optional<String> admin, Optional<String> store) {

    public static final CommandLineOverrides NONE =
            new CommandLineOverrides(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
