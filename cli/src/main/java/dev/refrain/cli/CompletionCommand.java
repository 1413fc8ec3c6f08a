package dev.refrain.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code refrain completion}: prints a script that completes commands and options in bash and zsh. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash and zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(refrain completion)                     # this shell",
            "  refrain completion > ~/.refrain-completion       # each shell, with the",
            "      line `source ~/.refrain-completion` in ~/.bashrc or ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var command = spec.commandLine();
        command.getOut().print(AutoComplete.bash("refrain", spec.root().commandLine()));
        command.getOut().flush();
        return ExitCode.OK;
    }
}
