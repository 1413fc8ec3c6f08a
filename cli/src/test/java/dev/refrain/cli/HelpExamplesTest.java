package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each example that a help text shows is a command line that its command takes, and each command and each group of commands has one. */
class HelpExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("(?m)^ {2}(.*\\brefrain [a-z].*)$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @ParameterizedTest
    @MethodSource("commands")
    void helpTeachesByExamplesThatParse(String command) {
        var examples = examples(command);

        assertThat(examples).as("examples of refrain %s --help", command).isNotEmpty();
        for (var words : examples) {
            assertThatCode(() -> RefrainCommand.commandLine().parseArgs(words.toArray(String[]::new)))
                    .as("refrain %s", String.join(" ", words))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void examplesAreReadWithTheirContinuationsAndWithoutTheShellAroundThem() {
        assertThat(examples("erase").getFirst())
                .containsExactly(
                        "erase",
                        "--store",
                        "jdbc:postgresql://db/shop",
                        "--user",
                        "me",
                        "--scope",
                        "acme",
                        "--subject",
                        "customer-7",
                        "--reason",
                        "asked for it, ticket 7");
        assertThat(examples("schema").getFirst()).containsExactly("schema", "--dialect", "postgresql");
        assertThat(examples("completion").getFirst()).containsExactly("completion");
        assertThat(examples("console password").getLast()).containsExactly("console", "password", "--stdin");
        assertThat(examples("gateway").getLast()).startsWith("gateway", "--config", "gateway.yaml", "--store");
    }

    static List<String> commands() {
        var found = new ArrayList<String>();
        collect("", RefrainCommand.commandLine(), found);
        assertThat(found).contains("", "keys", "keys list", "console").hasSizeGreaterThan(25);
        return found;
    }

    private static void collect(String path, CommandLine command, List<String> found) {
        found.add(path);
        for (var child : Set.copyOf(command.getSubcommands().values())) {
            collect((path + " " + child.getCommandName()).strip(), child, found);
        }
    }

    private static List<List<String>> examples(String path) {
        var command = RefrainCommand.commandLine();
        for (String name : path.isEmpty() ? new String[0] : path.split(" ")) {
            command = command.getSubcommands().get(name);
        }
        String footer =
                String.join("\n", command.getCommandSpec().usageMessage().footer());
        String commands = footer.replaceAll("\\\\\\n\\s*", "");
        return EXAMPLE.matcher(commands)
                .results()
                .map((MatchResult found) -> words(found.group(1)))
                .toList();
    }

    /** Splits the part of a line that is ours as a shell does, with values for what the reader has to fill in. */
    private static List<String> words(String line) {
        String ours = line.replaceFirst("^.*?\\brefrain (?=[a-z])", "")
                .replaceFirst("( [>#]|\\)).*$", "")
                .replace("--id ID", "--id 01a1e2c3-c09a-7284-b2bd-584c4088c6b3");
        return WORD.matcher(ours)
                .results()
                .map((MatchResult word) -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
    }
}
