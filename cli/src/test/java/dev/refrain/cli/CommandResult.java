package dev.refrain.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Exit code and output of a command that ran in this process. */
record CommandResult(int exitCode, String out, String err) {

    static CommandResult refrain(String... arguments) {
        return refrain(RefrainCommand.commandLine(), arguments);
    }

    static CommandResult refrain(CommandLine command, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = command.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new CommandResult(exitCode, out.toString(), err.toString());
    }
}
