package dev.refrain.cli;

import java.util.Optional;

/** Prompts on the terminal, if there is one. */
// From JDK 22 on, System.console() may return a console without a terminal, whose input is at its end; before, it
// returns null.
@SuppressWarnings("SystemConsoleNull")
final class TerminalPrompt {

    private TerminalPrompt() {}

    /** Asks a yes/no question; false without a terminal. */
    static boolean confirm(String question) {
        var console = System.console();
        if (console == null) {
            return false;
        }
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().matches("(?i)y|yes");
    }

    /**
     * Prompts for a password without echoing it.
     *
     * @param otherwise the advice to print where there is no terminal
     */
    static Optional<String> readPassword(String prompt, String otherwise) {
        var console = System.console();
        if (console == null) {
            throw CommandFailedException.usage("Cannot prompt for the password without a terminal: " + otherwise);
        }
        return Optional.ofNullable(console.readPassword("%s", prompt)).map(String::new);
    }
}
