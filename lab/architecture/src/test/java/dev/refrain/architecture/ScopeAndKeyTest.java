package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Nobody can swap scope and key by mistake: no public method and no public record takes the two as neighbouring strings. */
class ScopeAndKeyTest {

    private static final Pattern PUBLIC_PARAMETERS = Pattern.compile("\\bpublic [^;{}=()]*\\(([^()]*)\\)");
    private static final Pattern INTERCHANGEABLE = Pattern.compile(
            "String (?:scope|tenant),\\s*String (?:key|id)\\b|String (?:key|id),\\s*String (?:scope|tenant)\\b");

    @Test
    void noPublicMethodTakesScopeAndKeyAsTwoStrings() throws IOException {
        var found = new ArrayList<String>();
        for (var module : BuildModule.values()) {
            if (!module.isLaboratory()) {
                found.addAll(pairs(Path.of("../..", module.folder(), "src/main/java")));
            }
        }
        assertThat(found).as("take a ClientKey instead").isEmpty();
    }

    @Test
    void pairOfScopeAndKeyIsDetected() {
        assertThat(pairs(
                        "public <P> void enqueue(C tx, Job<P, ?> job, String scope,\n        String key, P payload) {"))
                .hasSize(1);
        assertThat(pairs("public record FlowRequest<R>(\n        String scope, String key, R request) {"))
                .hasSize(1);
        assertThat(pairs("private Call(String scope, String key) {")).isEmpty();
    }

    private static List<String> pairs(Path sources) throws IOException {
        var found = new ArrayList<String>();
        try (var files = Files.walk(sources)) {
            for (var file :
                    files.filter(any -> any.toString().endsWith(".java")).toList()) {
                pairs(Files.readString(file)).forEach(pair -> found.add(file.getFileName() + ": " + pair));
            }
        }
        return found;
    }

    private static List<String> pairs(String code) {
        return PUBLIC_PARAMETERS
                .matcher(code)
                .results()
                .filter(shown -> INTERCHANGEABLE.matcher(shown.group(1)).find())
                .map(shown -> shown.group())
                .toList();
    }
}
