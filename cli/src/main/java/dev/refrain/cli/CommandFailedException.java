package dev.refrain.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Failure of a command. Its message is the sentence that the user reads. */
public final class CommandFailedException extends RuntimeException {

    private final int exitCode;

    private CommandFailedException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Returns the failure of a command that was used correctly. */
    public static CommandFailedException failed(String message, @Nullable Throwable cause) {
        return new CommandFailedException(message, ExitCode.SOFTWARE, cause);
    }

    /** Returns the failure of a command that was used wrongly. */
    public static CommandFailedException usage(String message) {
        return new CommandFailedException(message, ExitCode.USAGE, null);
    }

    int exitCode() {
        return exitCode;
    }
}
