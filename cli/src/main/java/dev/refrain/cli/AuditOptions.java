package dev.refrain.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who does something that is audited, and why. */
final class AuditOptions {

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; it is audited, so it has to be said.")
    private @Nullable String reason;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "Who; it is audited. By default the user of this machine.")
    private @Nullable String by;

    @Option(names = "--yes", description = "Do not ask whether it is really meant.")
    private boolean yes;

    String reason() {
        if (reason == null || reason.isBlank()) {
            throw CommandFailedException.usage("It is audited, so say why: --reason.");
        }
        return reason;
    }

    String by() {
        return by == null || by.isBlank() ? System.getProperty("user.name", "unknown") : by;
    }

    /** @param question what is about to be done */
    void confirm(String question) {
        if (!yes && !TerminalPrompt.confirm(question)) {
            throw CommandFailedException.failed("Nothing was done, because nobody said yes; --yes says it.", null);
        }
    }
}
