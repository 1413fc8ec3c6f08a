package dev.refrain.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the command line: {@code refrain COMMAND}. */
@Command(
        name = "refrain",
        description = "Idempotency keys that hold.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
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

    @Spec
    private CommandSpec spec;

    @Option(names = Failures.DEBUG_OPTION, scope = ScopeType.INHERIT, description = "Show stack traces of failures.")
    private boolean debug;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var failures = new Failures(System.getenv());
        return new CommandLine(new RefrainCommand())
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setUsageHelpAutoWidth(true);
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
