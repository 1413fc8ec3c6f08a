package dev.refrain.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Failure of a command, with the message to print and the exit code. */
public final class CommandFailedException extends RuntimeException {

    private final int exitCode;

    private CommandFailedException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Creates a failure of a valid command (exit code 1). */
    public static CommandFailedException failed(String message, @Nullable Throwable cause) {
        return new CommandFailedException(message, ExitCode.SOFTWARE, cause);
    }

    /** Creates a failure of wrong usage (exit code 2): an unknown or invalid argument. */
    public static CommandFailedException usage(String message) {
        return new CommandFailedException(message, ExitCode.USAGE, null);
    }

    int exitCode() {
        return exitCode;
    }
}
