package dev.refrain.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Maps every failure to one line on standard error and an exit code; prints stack traces only with {@code --debug}. */
final class CommandErrorHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {

    static final String DEBUG_OPTION = "--debug";
    static final String DEBUG_VARIABLE = "REFRAIN_DEBUG";

    private final boolean debugByEnvironment;

    CommandErrorHandler(Map<String, String> environment) {
        this.debugByEnvironment = "1".equals(environment.get(DEBUG_VARIABLE));
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        printError(command, sentence(failure) + " Try '" + name + " --help'.");
        if (debugByEnvironment || List.of(arguments).contains(DEBUG_OPTION)) {
            failure.printStackTrace(command.getErr());
        }
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (debugByEnvironment || debugByOption(command)) {
            printError(command, describe(failure));
            failure.printStackTrace(command.getErr());
        } else if (failure instanceof CommandFailedException) {
            printError(command, describe(failure));
        } else {
            printError(command, describe(failure) + " (Use " + DEBUG_OPTION + " for the stack trace.)");
        }
        return failure instanceof CommandFailedException known ? known.exitCode() : ExitCode.SOFTWARE;
    }

    /** Subcommands inherit the option, but its value is always set on the root command. */
    private static boolean debugByOption(CommandLine command) {
        return command.getCommandSpec().root().userObject() instanceof RefrainCommand root && root.debug();
    }

    private static void printError(CommandLine command, String sentence) {
        command.getErr().println("refrain: " + sentence);
        command.getErr().flush();
    }

    private static String describe(Exception failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }

    /** Names the environment variable that saves the missing option. */
    private static String variable(ParameterException failure) {
        return failure instanceof MissingParameterException missing
                        && missing.getMissing().stream()
                                .anyMatch(option -> option instanceof OptionSpec named
                                        && List.of(named.names()).contains("--store"))
                ? " Or set " + StoreOptions.STORE_VARIABLE + "."
                : "";
    }

    private static String sentence(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        // A missing option is often just misspelt: then report the misspelling.
        List<String> unmatched = failure instanceof UnmatchedArgumentException arguments
                ? arguments.getUnmatched()
                : command.getUnmatchedArguments();
        if (unmatched.isEmpty()) {
            String message = describe(failure);
            return (message.endsWith(".") ? message : message + ".") + variable(failure);
        }
        String argument = unmatched.get(0);
        if (argument.startsWith("-")) {
            return "Unknown option '" + argument + "'.";
        }
        return command.getSubcommands().isEmpty()
                ? "'" + argument + "' is an unexpected argument."
                : "Unknown command '" + argument + "'. Available: "
                        + String.join(", ", command.getSubcommands().keySet()) + ".";
    }
}
