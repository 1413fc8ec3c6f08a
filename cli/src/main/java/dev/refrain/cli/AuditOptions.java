package dev.refrain.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every audited command: who does it, why, and whether to prompt first. */
final class AuditOptions {

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why you are doing this. Required; written to the audit trail.")
    private @Nullable String reason;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "Who is doing this, for the audit trail (default: your login name).")
    private @Nullable String by;

    @Option(names = "--yes", description = "Skip the confirmation prompt.")
    private boolean yes;

    String reason() {
        if (reason == null || reason.isBlank()) {
            throw CommandFailedException.usage("--reason is required: it is written to the audit trail.");
        }
        return reason;
    }

    String by() {
        return by == null || by.isBlank() ? System.getProperty("user.name", "unknown") : by;
    }

    /**
     * Prompts unless {@code --yes} was given.
     *
     * @throws CommandFailedException if the user declines or there is no terminal
     */
    void confirm(String question) {
        if (!yes && !TerminalPrompt.confirm(question)) {
            throw CommandFailedException.failed("Aborted. Use --yes to skip the prompt.", null);
        }
    }
}
