package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nobody can swap scope and key by mistake: no public method and no public record takes the two as strings side by side. The two
 * exceptions are the record of a stored identity, which stores read from three columns and everybody else makes of named parts, and an
 * entry of the actuator's answer, which only the endpoint makes.
 */
class ScopeAndKeyTest {

    private static final Pattern PUBLIC_PARAMETERS = Pattern.compile("\\bpublic [^;{}=()]*\\(([^()]*)\\)");
    private static final Pattern INTERFACE = Pattern.compile("(?m)^public (?:sealed |non-sealed )?interface ");

    /** Methods of an interface are public without the word. Its own are indented once, what they call is further in. */
    private static final Pattern INTERFACE_METHOD = Pattern.compile(
            "(?m)^ {4}(?!private |public )(?:default |static )?(?:<[^()]*> )?[\\w.<>\\[\\], ?]+ \\w+\\(([^()]*)\\)");

    private static final String IDENTITY = "public record ScopedKey(String scope, String namespace, String key)";
    private static final Pattern IDENTITY_OF_STRINGS = Pattern.compile("new ScopedKey\\(");
    private static final Pattern INTERCHANGEABLE = Pattern.compile(
            "String (?:scope|tenant),\\s*(?:String \\w+,\\s*)?String (?:key|id)\\b|String (?:key|id),\\s*(?:String \\w+,\\s*)?String (?:scope|tenant)\\b");

    @Test
    void noPublicMethodTakesScopeAndKeyAsTwoStrings() throws IOException {
        var found = new ArrayList<String>();
        for (var module : BuildModule.values()) {
            if (!module.isLaboratory()) {
                found.addAll(found(module, ScopeAndKeyTest::pairs));
            }
        }
        assertThat(found)
                .as("take a ClientKey instead")
                .hasSize(2)
                .contains("ScopedKey.java: " + IDENTITY)
                .anySatisfy(answer -> assertThat(answer).contains("record AttentionEntry("));
    }

    @Test
    void identitiesAreMadeOfNamedPartsExceptInStores() throws IOException {
        var found = new ArrayList<String>();
        for (var module : BuildModule.values()) {
            if (!module.isLaboratory()
                    && module != BuildModule.CORE
                    && !module.folder().startsWith("stores/")) {
                found.addAll(found(module, ScopeAndKeyTest::identities));
            }
        }
        assertThat(found).as("ClientKey.scope(…).key(…).inNamespace(…) instead").isEmpty();
    }

    @Test
    void pairOfScopeAndKeyIsDetected() {
        assertThat(pairs(
                        "public <P> void enqueue(C tx, Job<P, ?> job, String scope,\n        String key, P payload) {"))
                .hasSize(1);
        assertThat(pairs("public record FlowRequest<R>(\n        String scope, String key, R request) {"))
                .hasSize(1);
        assertThat(pairs(IDENTITY + " {")).hasSize(1);
        assertThat(pairs("""
                        public interface Scopes {

                            Optional<String> find(String scope, String key);

                            static <T> List<T> all(
                                    String key, String scope) {
                                return find(String.valueOf(scope), key);
                            }

                            private void own(String scope, String key) {}
                        }
                        """)).hasSize(2);
        assertThat(pairs("private Call(String scope, String key) {")).isEmpty();
        assertThat(identities("find(new ScopedKey(\n        scope, namespace, key))"))
                .hasSize(1);
    }

    private static List<String> found(BuildModule module, Function<String, List<String>> search) throws IOException {
        var found = new ArrayList<String>();
        try (var files = Files.walk(Path.of("../..", module.folder(), "src/main/java"))) {
            for (var file :
                    files.filter(any -> any.toString().endsWith(".java")).toList()) {
                search.apply(Files.readString(file)).forEach(hit -> found.add(file.getFileName() + ": " + hit));
            }
        }
        return found;
    }

    private static List<String> pairs(String code) {
        var methods =
                INTERFACE.matcher(code).find() ? INTERFACE_METHOD.matcher(code).results() : Stream.<MatchResult>of();
        return Stream.concat(PUBLIC_PARAMETERS.matcher(code).results(), methods)
                .filter(shown -> INTERCHANGEABLE.matcher(shown.group(1)).find())
                .map(MatchResult::group)
                .toList();
    }

    private static List<String> identities(String code) {
        return IDENTITY_OF_STRINGS
                .matcher(code)
                .results()
                .map(MatchResult::group)
                .toList();
    }
}
