package dev.refrain;

import static dev.refrain.api.LeaseExpiryPolicy.RESUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.RequestContent;
import dev.refrain.store.memory.MemoryStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The core with as much of JSON on its class path as an application happens to bring. */
class ClassPathTest {

    private static final Predicate<String> JACKSON = jar -> jar.contains("jackson");
    private static final Predicate<String> JACKSON_3 = JACKSON.and(jar -> jar.contains("-3."));

    /** But for the annotations, which both share. */
    private static final Predicate<String> JACKSON_2 =
            JACKSON.and(jar -> jar.contains("-2.") && !jar.contains("annotations"));

    @Test
    void withoutAnyJacksonOperationsOfTextRunAndReplayAndJsonIsFingerprintedByItsMeaning() throws Exception {
        try (var alone = withoutJars(JACKSON)) {
            assertThatThrownBy(() -> alone.loadClass("tools.jackson.core.JsonParser"))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThat(run(alone, "replayOfText")).isEqualTo("done");
            assertThat(run(alone, "codec")).isEqualTo("TextOrBytesCodec");
        }
    }

    @Test
    void codecIsThatOfTheJacksonThatIsThere() throws Exception {
        try (var second = withoutJars(JACKSON_3)) {
            assertThat(run(second, "codec")).isEqualTo("Jackson2ValueCodec");
        }
        try (var third = withoutJars(JACKSON_2)) {
            assertThat(run(third, "codec")).isEqualTo("Jackson3ValueCodec");
        }
        assertThat(Probe.codec()).isEqualTo("Jackson3ValueCodec");
    }

    /** What runs inside the other class loader. */
    public static final class Probe {

        public static String codec() {
            return ValueCodec.standard().getClass().getSimpleName();
        }

        public static String replayOfText() {
            try (var refrain = Refrain.using(new MemoryStore())) {
                var pay = refrain.operation("pay", String.class).leased(RESUME);
                pay.run(call("{\"a\":1,\"b\":2}"), claim -> "done");
                return pay.run(call("{ \"b\":2.0, \"a\":1 }"), claim -> "again");
            }
        }

        private static OperationCall call(String json) {
            return OperationCall.scope("acme")
                    .key("key-1")
                    .request(RequestContent.json("pay", json.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
    }

    private static Object run(ClassLoader loader, String method) throws ReflectiveOperationException {
        return loader.loadClass(Probe.class.getName()).getMethod(method).invoke(null);
    }

    private static URLClassLoader withoutJars(Predicate<String> left) {
        URL[] rest = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> left.negate().test(Path.of(entry).getFileName().toString()))
                .map(entry -> Path.of(entry).toUri())
                .map(ClassPathTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(rest, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(URI uri) {
        try {
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
