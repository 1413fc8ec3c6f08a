package dev.refrain.cli;

import dev.refrain.console.PasswordHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain console password}: the hash that a configuration wants. */
@Command(
        name = "password",
        description = {
            "Make the hash of a password for the console, such as gateway.console.password-hash wants it.",
            "",
            "The password is asked for twice on the terminal and not shown; it never stands on the command line."
        })
final class ConsolePasswordCommand implements Callable<Integer> {

    private static final int SHORTEST = 12;

    @Spec
    private CommandSpec spec;

    @Option(names = "--stdin", description = "Read the password from the first line of standard input instead.")
    private boolean stdin;

    @Override
    public Integer call() throws IOException {
        String password = (stdin ? given() : asked())
                .orElseThrow(() -> CommandFailedException.failed("No password was given.", null));
        if (password.length() < SHORTEST) {
            throw CommandFailedException.failed(
                    "A password of less than " + SHORTEST + " characters is guessed too soon: take a longer one.",
                    null);
        }
        var out = spec.commandLine().getOut();
        out.println(PasswordHash.of(password.toCharArray()).text());
        out.flush();
        return ExitCode.OK;
    }

    private static Optional<String> asked() {
        String elsewhere = "say --stdin and give it there.";
        var first = TerminalPrompt.readPassword("Password: ", elsewhere);
        if (!first.equals(TerminalPrompt.readPassword("Again: ", elsewhere))) {
            throw CommandFailedException.failed("The two are not the same.", null);
        }
        return first;
    }

    private static Optional<String> given() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return Optional.ofNullable(in.readLine());
    }
}
