package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example in the package's comment is compiled: it is {@link MemoryStoreTest}, word for word. */
class PackageExampleTest {

    private static final String PACKAGE = "java/dev/refrain/store/contract/";

    @Test
    void exampleIsTheMemoryStoresOwnTest() throws IOException {
        String comment = Files.readString(Path.of("src/main", PACKAGE, "package-info.java"));
        String test = Files.readString(Path.of("src/test", PACKAGE, "MemoryStoreTest.java"));

        var snippet = Pattern.compile("\\{@snippet :\\R(.*)\\R \\* }\\R", Pattern.DOTALL)
                .matcher(comment);

        assertThat(snippet.find()).isTrue();
        assertThat(snippet.group(1).replaceAll("(?m)^ \\* ?", ""))
                .isEqualTo(test.substring(test.indexOf("class ")).strip());
    }
}
