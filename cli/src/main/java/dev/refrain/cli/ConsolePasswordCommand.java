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

/** {@code refrain console password}: hashes a password for the console's configuration. */
@Command(
        name = "password",
        description = {
            "Hash a password for the console's configuration, for example gateway.console.password-hash.",
            "",
            "Prompts for the password twice without echoing it. Passwords are never read from the command line."
        },
        footer = {"", "Example:", "  refrain console password", "  pass show refrain | refrain console password --stdin"
        })
final class ConsolePasswordCommand implements Callable<Integer> {

    private static final int MIN_LENGTH = 12;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--stdin",
            description = "Read the password from the first line of standard input instead of prompting.")
    private boolean stdin;

    @Override
    public Integer call() throws IOException {
        String password = (stdin ? readFromStdin() : readFromTerminal())
                .orElseThrow(() -> CommandFailedException.failed("No password was given.", null));
        if (password.length() < MIN_LENGTH) {
            throw CommandFailedException.failed(
                    "The password is too short: use at least " + MIN_LENGTH + " characters.", null);
        }
        var out = spec.commandLine().getOut();
        out.println(PasswordHash.of(password.toCharArray()).text());
        out.flush();
        return ExitCode.OK;
    }

    private static Optional<String> readFromTerminal() {
        String alternative = "use --stdin and pipe it in.";
        var first = TerminalPrompt.readPassword("Password: ", alternative);
        if (!first.equals(TerminalPrompt.readPassword("Repeat password: ", alternative))) {
            throw CommandFailedException.failed("The passwords do not match.", null);
        }
        return first;
    }

    private static Optional<String> readFromStdin() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return Optional.ofNullable(in.readLine());
    }
}
