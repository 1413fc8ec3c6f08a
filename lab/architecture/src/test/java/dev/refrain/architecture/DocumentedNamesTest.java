package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names of types and methods in the pages, in the samples of Javadoc and in messages are names that the code has. */
class DocumentedNamesTest {

    private static final Path ROOT = Path.of("..", "..");

    /** Comments, strings and characters of Java, in the order in which they are looked for. */
    private static final Pattern NOT_CODE = Pattern.compile(
            "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'|/\\*.*?\\*/|//[^\\n]*");

    private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*.*?\\*/");
    private static final Pattern SNIPPET = Pattern.compile("(?s)\\{@snippet :(.*?)\\n \\* ?}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final Pattern FENCED = Pattern.compile("(?s)```(\\w*)\\n(.*?)```");
    private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");

    private static final Pattern WHOLE_FILE =
            Pattern.compile("(?s)^(package|import) .*\\n(public |final )*(class|record) ");

    /** In a sample: types, and methods that are called on something. */
    private static final Pattern NAME_IN_SAMPLE = Pattern.compile("\\b[A-Z][a-z]\\w+|(?<=\\.)[a-z]\\w*(?=\\()");

    /** In a sentence: types of two words and more, and methods. */
    private static final Pattern NAME_IN_SENTENCE =
            Pattern.compile("\\b[A-Z][a-z]\\w*[A-Z]\\w*|\\b[a-z]\\w*(?=\\(…?\\))|(?<=\\.)[a-z]\\w*(?=\\()");

    private static final Pattern TEXT = Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"|\\{@code [^}]*}");
    private static final Pattern MEMBER = Pattern.compile("(?<![\\w.])([A-Z]\\w*)\\.([a-z]\\w*)(?=\\()");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
    private static final Pattern IMPORTED = Pattern.compile("(?m)^import (?:static )?[a-z\\w.]*?\\.([A-Z]\\w*)");

    /** Names of other products and of the reader's own code. */
    private static final Set<String> NOT_OURS = Set.of(
            "PayPal",
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "DeferredResult",
            "ExitOnOutOfMemoryError",
            "BatchGetItem",
            "CreateTable",
            "DescribeTable",
            "DescribeTimeToLive",
            "GetItem",
            "UpdateTimeToLive",
            "TransactWriteItems",
            "HttpOnly",
            "SameSite",
            "KeyFactory",
            "CertificateFactory",
            "WebMvcRegistrations",
            "EnableWebMvc",
            "MinimumDataRateHandler",
            "MyStoreHarness",
            "MyStoreTest",
            "OrdersTrial",
            "MockMvc",
            "PaymentControllerTest",
            "PaymentTrial",
            "SpringBootTest",
            "andExpect",
            "Mockito",
            "MockitoBean",
            "ArgumentMatchers",
            "MockMvcRequestBuilders",
            "MockMvcResultMatchers",
            "WebMvcTest",
            "toUnchanged",
            "dispatchEvent");

    /** The sagas page shows the same order in Temporal, for comparison. */
    private static final Set<String> TEMPORAL = Set.of(
            "Activities",
            "ActivityFailure",
            "PlaceOrderWorkflow",
            "PlaceOrderWorkflowImpl",
            "Workflow",
            "addCompensation",
            "compensate",
            "getInfo",
            "getWorkflowId",
            "newActivityStub",
            "setContinueWithError");

    /** Alert rules, manifests, units, the model and scripts have names too. */
    private static final List<String> OTHER_CODE = List.of(".yaml", ".yml", ".service", ".tla", ".js");

    private static final Set<String> IN_CODE = new HashSet<>();

    @BeforeAll
    static void readCode() throws IOException {
        for (var file : files(".java")) {
            var code = NOT_CODE.matcher(Files.readString(file)).replaceAll(" ");
            WORD.matcher(code).results().forEach(word -> IN_CODE.add(word.group()));
        }
        for (String ending : OTHER_CODE) {
            for (var file : files(ending)) {
                WORD.matcher(Files.readString(file)).results().forEach(word -> IN_CODE.add(word.group()));
            }
        }
    }

    @Test
    void pagesNameWhatIsThere() throws IOException {
        var unknown = new TreeSet<String>();
        for (var page : files(".md")) {
            if (page.endsWith("CHANGELOG.md") || page.endsWith("UPGRADING.md")) {
                continue; // They name what was there once.
            }
            String text = Files.readString(page);
            String sentences = FENCED.matcher(text).replaceAll("");
            QUOTED.matcher(sentences)
                    .results()
                    // Files that the page itself tells to write.
                    .filter(quoted -> !quoted.group(1).contains("src/main/"))
                    .forEach(quoted -> collect(page, NAME_IN_SENTENCE, quoted.group(1), unknown));
            FENCED.matcher(text)
                    .results()
                    .filter(block -> block.group(1).equals("java"))
                    .forEach(block -> {
                        // Whole files are compiled as they are.
                        if (!block.group(2).contains("// Not ours")
                                && !WHOLE_FILE.matcher(block.group(2)).find()) {
                            collect(
                                    page,
                                    NAME_IN_SAMPLE,
                                    NOT_CODE.matcher(block.group(2)).replaceAll(" "),
                                    unknown);
                        }
                    });
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void samplesInJavadocNameWhatIsThere() throws IOException {
        var unknown = new TreeSet<String>();
        for (var file : files(".java")) {
            JAVADOC.matcher(Files.readString(file))
                    .results()
                    .forEach(comment -> SNIPPET.matcher(comment.group())
                            .results()
                            .forEach(snippet -> collect(
                                    file,
                                    NAME_IN_SAMPLE,
                                    NOT_CODE.matcher(snippet.group(1)).replaceAll(" "),
                                    unknown)));
        }
        assertThat(unknown).isEmpty();
    }

    /** Messages and sentences that tell somebody to call something name what can be called. */
    @Test
    void messagesAndInlineCodeNameMembersThatAreThere() throws IOException {
        var members = new HashMap<String, Set<String>>();
        var imported = new HashSet<String>();
        for (var file : files(".java")) {
            String code = Files.readString(file);
            IMPORTED.matcher(code).results().forEach(found -> imported.add(found.group(1)));
            if (file.toString().contains("/src/main/")) {
                DECLARED.matcher(code)
                        .results()
                        .forEach(type -> WORD.matcher(code)
                                .results()
                                .forEach(word -> members.computeIfAbsent(type.group(1), any -> new HashSet<>())
                                        .add(word.group())));
            }
        }
        var unknown = new TreeSet<String>();
        for (var file : files(".java")) {
            if (file.toString().contains("/src/main/")) {
                TEXT.matcher(Files.readString(file))
                        .results()
                        .flatMap(text -> MEMBER.matcher(text.group()).results())
                        .filter(call -> members.containsKey(call.group(1))
                                ? !members.get(call.group(1)).contains(call.group(2))
                                : !imported.contains(call.group(1)))
                        .forEach(call -> unknown.add(ROOT.relativize(file) + ": " + call.group()));
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static void collect(Path where, Pattern names, String text, Set<String> unknown) {
        names.matcher(text)
                .results()
                .map(found -> found.group())
                .filter(name -> !IN_CODE.contains(name) && !NOT_OURS.contains(name) && !TEMPORAL.contains(name))
                .forEach(name -> unknown.add(ROOT.relativize(where) + ": " + name));
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> Stream.of("target", ".git", ".refrain", "node_modules")
                            .noneMatch(skipped -> ROOT.relativize(file).startsWith(skipped)
                                    || ROOT.relativize(file).toString().contains("/" + skipped + "/")))
                    .toList();
        }
    }
}
