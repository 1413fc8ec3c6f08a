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

/** The root of the command line: {@code refrain COMMAND}. */
@Command(
        name = "refrain",
        description = "Idempotency keys that hold: a request that comes twice takes effect once.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = CliVersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed; the reason is one sentence on standard error",
            "2:wrong usage: an unknown command, option or value"
        },
        subcommands = {
            AttentionCommand.class,
            BenchCommand.class,
            ConsoleCommand.class,
            DeadLettersCommand.class,
            DemoCommand.class,
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

    private static final String[] BEGIN_WITH = {
        "",
        "Begin with:",
        "  refrain demo",
        "      see what it does, on a page of your browser",
        "  refrain gateway --upstream http://localhost:3000",
        "      protect a service, in any language",
        "  refrain verify http://localhost:8080 --route 'POST /payments'",
        "      does an API, yours or another, keep what keys promise?",
        "  refrain attention --store jdbc:sqlite:refrain-gateway.db",
        "      what waits for a decision?",
        "'refrain COMMAND --help' says more of each."
    };

    @Spec
    private CommandSpec spec;

    @Option(
            names = CommandErrorHandler.DEBUG_OPTION,
            scope = ScopeType.INHERIT,
            description = "Show stack traces of failures.")
    private boolean debug;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var failures = new CommandErrorHandler(System.getenv());
        var line = new CommandLine(new RefrainCommand());
        // Not in the annotation, from which every command would have it.
        line.getCommandSpec().usageMessage().footer(BEGIN_WITH);
        return line.setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .registerConverter(UUID.class, RefrainCommand::id)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + TerminalFormat.escape(text)
                            + "' is no id: an id has 36 characters, such as 01a1e2c3-c09a-7284-b2bd-584c4088c6b3, as the lists show it");
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
