package dev.refrain.packager;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;

/** Java runtime of this platform with the modules that the jars need, made by the JDK that runs this program. */
final class JavaRuntime {

    /** Modules that jars name and nothing here reaches: PGpoint as a point of AWT, a listener of Log4j. */
    private static final Set<String> NOT_REACHED = Set.of("java.desktop");

    private final Set<String> modules;

    private JavaRuntime(Set<String> modules) {
        this.modules = modules;
    }

    /**
     * Reads the list of modules and compares it with what the jars use.
     *
     * @throws PackagingException if one is missing
     */
    static JavaRuntime of(Path list, List<Path> jars) throws IOException {
        var listed = new TreeSet<String>();
        for (String line : Files.readAllLines(list)) {
            String module = line.replaceFirst("#.*", "").strip();
            // A few are part of others in later versions.
            if (!module.isEmpty() && ModuleFinder.ofSystem().find(module).isPresent()) {
                listed.add(module);
            }
        }
        var missing = usedBy(jars);
        missing.removeAll(listed);
        missing.removeAll(NOT_REACHED);
        if (!missing.isEmpty()) {
            throw new PackagingException(
                    "The jars use " + missing + ", which " + list + " does not name. Add them, or say in "
                            + JavaRuntime.class.getSimpleName() + " why nothing reaches them.");
        }
        return new JavaRuntime(listed);
    }

    private static Set<String> usedBy(List<Path> jars) {
        var arguments = new ArrayList<>(List.of(
                "--print-module-deps",
                "--ignore-missing-deps",
                "--multi-release",
                Integer.toString(Runtime.version().feature())));
        jars.forEach(jar -> arguments.add(jar.toString()));
        String last = run("jdeps", arguments).lines().reduce("", (before, line) -> line);
        return new TreeSet<>(List.of(last.strip().split(",", -1)));
    }

    /** Makes the runtime in a folder, which must not exist. */
    void link(Path folder) {
        run(
                "jlink",
                List.of(
                        "--add-modules",
                        String.join(",", modules),
                        "--output",
                        folder.toString(),
                        "--compress",
                        "zip-6",
                        "--generate-cds-archive",
                        "--no-header-files",
                        "--no-man-pages",
                        "--vm",
                        "server",
                        "--dedup-legal-notices",
                        "error-if-not-same-content"));
    }

    private static String run(String tool, List<String> arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = ToolProvider.findFirst(tool)
                .orElseThrow(() -> new PackagingException(
                        "The Java in " + System.getProperty("java.home") + " has no " + tool + ". Use a whole JDK."))
                .run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
        if (code != 0) {
            throw new PackagingException(tool + " failed with " + code + ": " + out + err);
        }
        return out.toString();
    }

    /** Returns the platform as names of archives have it, such as {@code linux-x64}. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return (system.startsWith("mac") ? "macos" : system.startsWith("windows") ? "windows" : system)
                + (machine.equals("amd64") || machine.equals("x86_64") ? "-x64" : "-" + machine);
    }

    /** Runs a class on the class path of a folder of jars, and returns what it prints. */
    static String output(Path jars, String... command) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                jars.resolve("*").toString()));
        words.addAll(List.of(command));
        var process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new ByteArrayOutputStream();
        process.getInputStream().transferTo(out);
        if (process.waitFor() != 0) {
            throw new PackagingException(String.join(" ", words) + " failed.");
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
