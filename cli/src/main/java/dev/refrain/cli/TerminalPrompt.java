package dev.refrain.cli;

import java.util.Optional;

/** Whoever sits in front of the terminal, if anyone does. */
// From JDK 22 on there may be a console without a terminal, on which the answer is the end of the input; before, there
// is none.
@SuppressWarnings("SystemConsoleNull")
final class TerminalPrompt {

    private TerminalPrompt() {}

    /** Whether someone there says yes. */
    static boolean confirm(String question) {
        var console = System.console();
        if (console == null) {
            return false;
        }
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().matches("(?i)y|yes");
    }

    /** @param otherwise what to do where there is no terminal */
    static Optional<String> readPassword(String prompt, String otherwise) {
        var console = System.console();
        if (console == null) {
            throw CommandFailedException.usage("There is no terminal to ask for the password on: " + otherwise);
        }
        return Optional.ofNullable(console.readPassword("%s", prompt)).map(String::new);
    }
}
