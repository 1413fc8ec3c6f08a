package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.architecture.SourceCompiler.SourceText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java example of the pages in {@code docs} and of the README compiles, with the imports that its page shows. What a page takes for granted (a data source, a
 * bank, a request) is declared in {@code examples/<page>.java.txt}, what a single example does in {@code examples/<page>.<number>.java.txt}.
 */
class DocumentedExamplesTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final Pattern NAMED_FILE =
            Pattern.compile("<!-- file: (?:\\S*/)?(\\w+)\\.java -->\n```java\n(.*?)```", Pattern.DOTALL);

    /** Compiled and run by tests of their own: {@code ClientExampleTest}. */
    private static final Set<String> TESTED_ELSEWHERE = Set.of("client.md");

    /** Needs libraries that this build does not use, or a generated client; compiled and run by {@code .ci/quickstarts} alone. */
    private static final Set<String> COMPILED_BY_QUICK_STARTS = Set.of("quarkus.md", "openapi.md");

    @TempDir
    Path classes;

    @Test
    void everyExampleCompilesWithTheImportsOfItsPage() throws IOException {
        var sources = new ArrayList<SourceText>();
        try (var pages = Files.list(DOCS)) {
            pages.filter(page -> page.toString().endsWith(".md"))
                    .filter(page ->
                            !TESTED_ELSEWHERE.contains(page.getFileName().toString()))
                    .sorted()
                    .forEach(page -> sources.addAll(examples(page)));
        }
        assertThat(sources).hasSizeGreaterThan(20);

        assertThat(SourceCompiler.compile(sources, classes)).isEmpty();
    }

    /** Pages for newcomers show whole files, each behind a comment with its name, which compile together as they are. */
    @Test
    void filesOfEachPageForNewcomersCompile() throws IOException {
        var pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (var quickStarts = Files.list(DOCS.resolve("quickstart"))) {
            quickStarts.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        for (Path page : pages) {
            String text = read(page);
            var sources = NAMED_FILE
                    .matcher(text)
                    .results()
                    .map(found -> new SourceText(found.group(1), found.group(2)))
                    .toList();

            assertThat(FENCED.matcher(text).results().count())
                    .as("Java examples of %s without a name", page)
                    .isEqualTo(sources.size());
            if (COMPILED_BY_QUICK_STARTS.contains(page.getFileName().toString())) {
                continue;
            }
            assertThat(sources.isEmpty() ? List.of() : SourceCompiler.compile(sources, classes))
                    .as(page.toString())
                    .isEmpty();
        }
    }

    private static List<SourceText> examples(Path page) {
        String name = page.getFileName().toString().replace(".md", "");
        var blocks = FENCED.matcher(read(page))
                .results()
                .map(found -> found.group(1))
                .toList();
        String imports = String.join(
                "\n", blocks.stream().filter(DocumentedExamplesTest::isImports).toList());
        var sources = new ArrayList<SourceText>();
        for (String block : blocks) {
            if (!isImports(block)) {
                String type = name.replace('-', '_') + "_" + (sources.size() + 1);
                sources.add(new SourceText(
                        type,
                        imports + "\nclass " + type + " {\n" + assumed(name)
                                + assumed(name + "." + (sources.size() + 1)) + "\n" + member(block) + "\n}\n"));
            }
        }
        return sources;
    }

    private static boolean isImports(String block) {
        return block.lines().filter(line -> !line.isBlank()).allMatch(line -> line.startsWith("import "));
    }

    /** Statements become a method, the end of a chain of a flow is attached to one, and members stay what they are. */
    private static String member(String block) {
        String code = block.replace("{ … }", "{ throw new UnsupportedOperationException(); }");
        if (code.startsWith(".")) {
            return "void example() { Flow.of(\"f\", OrderRequest.class, Receipt.class).phase(\"p\", (tx, at) -> PhaseResult.finish(200, null))\n"
                    + code + "\n.build(); }";
        }
        boolean members = Pattern.compile("^(@|public |class )").matcher(code).find();
        return members ? code : "void example() throws Exception {\n" + code + "\n}";
    }

    private static String assumed(String page) {
        try (var file = DocumentedExamplesTest.class.getResourceAsStream("/examples/" + page + ".java.txt")) {
            return file == null ? "" : new String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pages that assume something exist. */
    @Test
    void everyAssumptionBelongsToAPage() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/examples"))) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(DOCS.resolve(
                                    file.getFileName().toString().replaceFirst("(\\.[0-9]+)?\\.java\\.txt$", ".md")))
                            .exists());
        }
    }
}
