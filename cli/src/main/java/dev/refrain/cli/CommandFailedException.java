package dev.refrain.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** A command could not do what it was asked to. The message is the sentence that the user reads. */
final class CommandFailedException extends RuntimeException {

    private final int exitCode;

    private CommandFailedException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** It was asked rightly and could not be done. */
    static CommandFailedException failed(String message, @Nullable Throwable cause) {
        return new CommandFailedException(message, ExitCode.SOFTWARE, cause);
    }

    /** It was asked for something that doesn't exist. */
    static CommandFailedException usage(String message) {
        return new CommandFailedException(message, ExitCode.USAGE, null);
    }

    int exitCode() {
        return exitCode;
    }
}
