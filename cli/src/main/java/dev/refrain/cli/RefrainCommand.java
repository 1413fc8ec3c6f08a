package dev.refrain.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Root of the command line: {@code refrain COMMAND}. */
@Command(
        name = "refrain",
        description = "Idempotency keys that hold: a retried request takes effect once.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = CliVersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure; the reason is printed to standard error",
            "2:invalid usage: unknown command, option or value"
        },
        subcommands = {
            AttentionCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            ConsoleCommand.class,
            DeadLettersCommand.class,
            DemoCommand.class,
            EraseCommand.class,
            ExampleCommand.class,
            GatewayCommand.class,
            KeysCommand.class,
            MigrateCommand.class,
            OutboxCommand.class,
            ReapCommand.class,
            SchemaCommand.class,
            VerifyCommand.class
        })
public final class RefrainCommand implements Callable<Integer> {

    private static final String[] FIRST_STEPS = {
        "",
        "Start here:",
        "  refrain demo",
        "      see what Refrain does, in your browser",
        "  refrain gateway --upstream http://localhost:3000",
        "      protect a service written in any language",
        "  refrain verify http://localhost:8080 --route 'POST /payments'",
        "      check whether an API handles idempotency keys correctly",
        "  refrain attention --store jdbc:sqlite:refrain-gateway.db",
        "      list keys whose outcome is unknown",
        "Run 'refrain COMMAND --help' for details."
    };

    @Spec
    private CommandSpec spec;

    @Option(
            names = CommandErrorHandler.DEBUG_OPTION,
            scope = ScopeType.INHERIT,
            description = "Print stack traces of failures.")
    private boolean debug;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var failures = new CommandErrorHandler(System.getenv());
        var line = new CommandLine(new RefrainCommand());
        // Set here because subcommands would inherit it from the annotation.
        line.getCommandSpec().usageMessage().footer(FIRST_STEPS);
        return line.setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .registerConverter(UUID.class, RefrainCommand::id)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // Otherwise the file of `--body @FILE` would be read as arguments.
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true);
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + TerminalFormat.escape(text)
                    + "' is not an id: copy the 36 characters that the lists print, for example "
                    + "01a1e2c3-c09a-7284-b2bd-584c4088c6b3");
        }
    }

    boolean debug() {
        return debug;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
