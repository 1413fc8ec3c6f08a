package dev.refrain.springservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringBootVersion;

/**
 * Service of a quick start, in a folder with the files of its page.
 *
 * @param text the page
 */
record QuickStartService(String text, Path folder) {

    private static final Pattern FILE =
            Pattern.compile("^<!-- file: (\\S+) -->\n```\\w*\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    /** What the tests of this module have beside a service of the page; with it an application would be locked or have two migration tools. */
    private static final Pattern NOT_OF_THE_PAGE = Pattern.compile(
            "(lab|testing)/.*|.*(refrain-testing|security|liquibase|hibernate|jpa|persistence|spring-data|spring-orm|actuator|micrometer-core|-test-|junit).*");

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** Writes the files of the page. */
    static QuickStartService of(Path page, Path folder) throws IOException {
        String text = Files.readString(page);
        for (var file : FILE.matcher(text).results().toList()) {
            var path = folder.resolve(file.group(1));
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.group(2));
        }
        return new QuickStartService(text, folder);
    }

    String springBootVersion() {
        return SpringBootVersion.getVersion();
    }

    /** Returns the dependencies of the page's {@code pom.xml}, but for our own, that are not on the class path; its second paragraph says what is different on 3.5. */
    List<String> missingArtifacts() {
        var present = Stream.of(classPath().split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .toList();
        return pomDependencies()
                .filter(artifact -> present.stream().noneMatch(jar -> jar.matches(Pattern.quote(artifact) + "-\\d.*")))
                .toList();
    }

    private Stream<String> pomDependencies() {
        String pom = text.substring(text.indexOf("</dependencyManagement>"), text.indexOf("<build>"));
        boolean boot3 = springBootVersion().startsWith("3.");
        return DEPENDENCY
                .matcher(pom)
                .results()
                .filter((MatchResult found) -> !found.group(1).equals("dev.refrain"))
                .map((MatchResult found) -> boot3 ? onBoot3(found.group(2)) : found.group(2));
    }

    private static String onBoot3(String artifact) {
        return switch (artifact) {
            case "spring-boot-starter-webmvc" -> "spring-boot-starter-web";
            case "spring-boot-starter-flyway" -> "flyway-core";
            default -> artifact;
        };
    }

    private static String classPath() {
        return Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .filter(entry ->
                        !NOT_OF_THE_PAGE.matcher(shortName(Path.of(entry))).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the file name of a jar, the path below the root of a folder. */
    private static String shortName(Path entry) {
        return entry.startsWith(ROOT) && Files.isDirectory(entry)
                ? ROOT.relativize(entry).toString()
                : entry.getFileName().toString();
    }

    /** Compiles it and starts it as a process of its own, on a port that it chooses. */
    Running start(String database) throws IOException {
        var classes = folder.resolve("target/classes");
        compile(classes);
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes
                                + File.pathSeparator
                                + folder.resolve("src/main/resources")
                                + File.pathSeparator
                                + classPath(),
                        "shop.ShopApplication")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("SPRING_") || name.startsWith("REFRAIN_"));
        builder.environment().put("SPRING_DATASOURCE_URL", database);
        builder.environment().put("SERVER_PORT", "0");
        return Running.awaitStarted(builder.start());
    }

    private void compile(Path classes) throws IOException {
        Files.createDirectories(classes);
        var arguments =
                new ArrayList<>(List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp", classPath()));
        try (var sources = Files.walk(folder.resolve("src/main/java"))) {
            sources.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (failed != 0) {
            throw new IllegalStateException("The sources of the page do not compile.");
        }
    }

    /**
     * Process of the service.
     *
     * @param logged its output until it was started
     */
    record Running(Process process, int port, List<String> logged) implements AutoCloseable {

        private static Running awaitStarted(Process process) throws IOException {
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            var logged = new ArrayList<String>();
            int port = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                logged.add(line);
                var listens = PORT.matcher(line);
                if (listens.find()) {
                    port = Integer.parseInt(listens.group(1));
                }
                if (line.contains("Started ShopApplication")) {
                    Thread.ofVirtual().start(() -> out.lines().forEach(later -> {}));
                    return new Running(process, port, logged);
                }
            }
            throw new IllegalStateException("The service did not start:\n" + String.join("\n", logged));
        }

        URI uri(String path) {
            return URI.create("http://localhost:" + port + path);
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
