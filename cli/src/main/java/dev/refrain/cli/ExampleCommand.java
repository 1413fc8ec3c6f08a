package dev.refrain.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code refrain example}: runs small complete applications to send requests to. */
@Command(
        name = "example",
        description = "Run an example application on this machine until Ctrl-C.",
        synopsisSubcommandLabel = "EXAMPLE",
        subcommands = {ExampleServletCommand.class, ExampleSpringCommand.class},
        footer = {"", "Examples:", "  refrain example payments-servlet", "  refrain example payments-spring --port 9000"
        })
final class ExampleCommand implements Callable<Integer> {

    /** What an installed command line says, which has none of the examples. */
    static final String NOT_INSTALLED =
            "The examples are not part of this distribution. Run ./refrain example in a checkout of the sources, which builds"
                    + " them.";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
