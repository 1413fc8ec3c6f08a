package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolutionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published jars work on the module path: they resolve together, and an application with its own module descriptor runs on them. */
class ModulePathTest {

    /** Third-party jars that a leased call on SQLite needs. */
    private static final List<String> LIBRARIES =
            List.of("caffeine", "java-json-canonicalization", "jackson-annotations", "sqlite-jdbc", "slf4j-api");

    private static final List<String> LIBRARIES_OF_JACKSON_3 = List.of("jackson-core", "jackson-databind");

    /** Has the packages of the starter for Spring Boot 4, which an application uses instead. */
    private static final String OTHER_STARTER = "spring/boot3";

    @TempDir
    private Path folder;

    private final Map<String, Path> jars = new TreeMap<>();

    @BeforeEach
    void gatherPublishedJars() throws Exception {
        for (String module : PomFile.of(".").modules()) {
            var pom = PomFile.of(module);
            if (pom.isPublished() && pom.moduleName().isPresent() && !module.equals(OTHER_STARTER)) {
                String name = pom.moduleName().get();
                jars.put(name, jarOf(module, name));
            }
        }
    }

    @Test
    void publishedJarsResolveTogether() {
        assertThat(jars)
                .containsKeys("dev.refrain.core", "dev.refrain.store.jdbc")
                .hasSizeGreaterThan(12);

        assertThat(resolve(jars.values()).modules()).hasSameSizeAs(jars.values());
    }

    @Test
    void packageInTwoJarsIsRefused() throws IOException {
        var twin = folder.resolve("twin.jar");
        pack(twin, "dev.refrain.twin", Map.of("dev/refrain/api/ScopedKey.class", new byte[0]));

        assertThatThrownBy(() -> resolve(List.of(jars.get("dev.refrain.core"), twin)))
                .isInstanceOf(ResolutionException.class)
                .hasMessageContaining("dev.refrain.api");
    }

    /** Resolves the jars as Java does when it starts, which refuses a package in two of them. */
    private static Configuration resolve(Collection<Path> jars) {
        var finder = ModuleFinder.of(jars.toArray(Path[]::new));
        var names = finder.findAll().stream()
                .map(module -> module.descriptor().name())
                .toList();
        return ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), names);
    }

    @Test
    void applicationWithItsOwnModuleDescriptorRunsALeasedCallOnce() throws Exception {
        var modulePath = new ArrayList<>(List.of(jars.get("dev.refrain.core"), jars.get("dev.refrain.store.jdbc")));
        LIBRARIES.forEach(library -> modulePath.add(onClassPath("", library)));
        LIBRARIES_OF_JACKSON_3.forEach(library -> modulePath.add(onClassPath("tools/jackson", library)));
        var sources = folder.resolve("sources");
        write(sources.resolve("module-info.java"), """
                module shop {
                    requires dev.refrain.core;
                    requires dev.refrain.store.jdbc;
                    requires java.sql;

                    opens shop;
                }
                """);
        write(sources.resolve("shop/Shop.java"), """
                package shop;

                import dev.refrain.OperationCall;
                import dev.refrain.Refrain;
                import dev.refrain.api.LeaseExpiryPolicy;
                import dev.refrain.store.jdbc.JdbcStore;
                import java.nio.file.Path;
                import java.util.concurrent.atomic.AtomicInteger;

                public final class Shop {
                    public record Payment(String charge, int run) {}

                    public static void main(String[] args) {
                        var runs = new AtomicInteger();
                        try (var store = JdbcStore.sqlite(Path.of(args[0]));
                                var refrain = Refrain.using(store)) {
                            var pay = refrain.operation("payments.create", Payment.class).leased(LeaseExpiryPolicy.RESUME);
                            var call = OperationCall.scope("acme").key("order-1").request("4242");
                            for (int i = 0; i < 2; i++) {
                                System.out.println(pay.run(
                                        call, claim -> new Payment(claim.derivedKey("charge"), runs.incrementAndGet())));
                            }
                        }
                        System.out.println(Shop.class.getModule() + " on " + Refrain.class.getModule()
                                + " and " + JdbcStore.class.getModule());
                    }
                }
                """);
        var classes = folder.resolve("classes");
        new JdkTool("javac", folder.resolve("javac.out"))
                .run(
                        "--module-path",
                        joined(modulePath),
                        "-d",
                        classes.toString(),
                        sources.resolve("module-info.java").toString(),
                        sources.resolve("shop/Shop.java").toString());
        modulePath.add(classes);

        var said = new JdkTool("java", folder.resolve("java.out"))
                .run(
                        "--module-path",
                        joined(modulePath),
                        "--add-modules",
                        "ALL-MODULE-PATH",
                        "--enable-native-access=org.xerial.sqlitejdbc",
                        "--module",
                        "shop/shop.Shop",
                        folder.resolve("shop.db").toString());

        var payments = said.stream().filter(line -> line.startsWith("Payment")).toList();
        assertThat(payments).hasSize(2).allMatch(payments.getFirst()::equals);
        assertThat(payments.getFirst()).matches("Payment\\[charge=refrain[0-9a-f]{40}, run=1]");
        assertThat(said).contains("module shop on module dev.refrain.core and module dev.refrain.store.jdbc");
    }

    /** Where modules were packaged before this test, as {@code verify} does, their jars are on the class path; otherwise their classes. */
    private Path jarOf(String module, String name) throws IOException {
        var target = Path.of("../..", module, "target").toAbsolutePath().normalize();
        var built = SourceCompiler.classPathEntries().stream()
                .filter(entry -> entry.equals(target.resolve("classes"))
                        || entry.startsWith(target)
                                && entry.getFileName().toString().matches("refrain-.*(?<!-tests)\\.jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(module + " is not on the class path of this test"));
        if (Files.isRegularFile(built)) {
            try (var jar = new JarFile(built.toFile())) {
                assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                        .as(built.toString())
                        .isEqualTo(name);
            }
            return built;
        }
        var content = new TreeMap<String, byte[]>();
        try (Stream<Path> files = Files.walk(built)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                content.put(
                        built.relativize(file).toString().replace(File.separatorChar, '/'), Files.readAllBytes(file));
            }
        }
        var jar = folder.resolve(name + ".jar");
        pack(jar, name, content);
        return jar;
    }

    private static void pack(Path jar, String name, Map<String, byte[]> content) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", name);
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (var entry : content.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
    }

    private static Path onClassPath(String group, String library) {
        return SourceCompiler.classPathEntries().stream()
                .filter(entry ->
                        entry.toString().replace(File.separatorChar, '/').contains(group)
                                && entry.getFileName().toString().matches(library + "-\\d.*\\.jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(library + " is not on the class path of this test"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String joined(List<Path> entries) {
        return String.join(
                File.pathSeparator, entries.stream().map(Path::toString).toList());
    }
}
