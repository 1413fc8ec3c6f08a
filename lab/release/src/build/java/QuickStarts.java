import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs the commands of a quick start in a folder with its files, on a database of its own, and compares what they print with what the page shows:
 * each shown line must be printed, in this order, where {@code …} stands for anything. A command that ends with {@code &} goes on in the background.
 *
 * <p>Run as a source file with the classes of {@code lab/servers}: {@code java -cp … QuickStarts.java ROOT FOLDER PAGE…}, by {@code .ci/quickstarts}.
 */
public final class QuickStarts {

    private static final Pattern BLOCK = Pattern.compile("```\n(\\$ .*?)```", Pattern.DOTALL);
    private static final Pattern ID = Pattern.compile("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");
    /** The first build of a page fetches what it needs. */
    private static final int SECONDS = 900;

    /** Exit code of a process that was killed, which one page does on purpose. */
    private static final int KILLED = 137;

    private final Path root;
    private final Path folder;
    private final String database;
    private final int port;
    private final List<Process> background = new ArrayList<>();
    private String id = "";

    private QuickStarts(Path root, Path folder, String database) throws IOException {
        this.root = root;
        this.folder = folder;
        this.database = database;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    public static void main(String[] args) throws Exception {
        try (var server = PostgresServer.start()) {
            for (int i = 2; i < args.length; i++) {
                var page = Path.of(args[i]);
                var folder = Path.of(args[1], page.getFileName().toString().replace(".md", ""));
                long begin = System.nanoTime();
                int commands = new QuickStarts(Path.of(args[0]), folder, server.freshDatabase()).run(page);
                System.out.printf(
                        "Quick start checked: %s, %d commands, %d s%n",
                        page.getFileName(),
                        commands,
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
            }
        }
        System.exit(0);
    }

    private int run(Path page) throws IOException, InterruptedException {
        int commands = 0;
        try {
            var blocks = BLOCK.matcher(Files.readString(page));
            while (blocks.find()) {
                for (String step : ("\n" + blocks.group(1)).split("\n\\$ ")) {
                    if (!step.isBlank()) {
                        var lines = step.lines().toList();
                        runCommand(lines.get(0), lines.subList(1, lines.size()));
                        commands++;
                    }
                }
            }
        } finally {
            for (var process : background) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        }
        return commands;
    }

    private void runCommand(String command, List<String> shown) throws IOException, InterruptedException {
        var output = folder.resolve("output.txt");
        boolean inBackground = command.endsWith(" &");
        var process = process(inBackground ? "exec " + command.substring(0, command.length() - 2) : command);
        if (inBackground) {
            background.add(process.redirectOutput(folder.resolve("application.log").toFile()).start());
            awaitPort(background.get(background.size() - 1));
            return;
        }
        var running = process.redirectOutput(output.toFile()).start();
        if (!running.waitFor(SECONDS, TimeUnit.SECONDS)) {
            running.destroyForcibly();
            throw new IllegalStateException("Took more than " + SECONDS + " s: " + command);
        }
        String printed = Files.readString(output).replace("\r", "");
        compare(command, printed, shown);
        if (running.exitValue() != 0 && running.exitValue() != KILLED) {
            throw new IllegalStateException("Exit code " + running.exitValue() + " of: " + command + "\n" + printed);
        }
        var ids = ID.matcher(printed);
        if (command.contains("attention") && ids.find()) {
            id = ids.group();
        }
    }

    private ProcessBuilder process(String command) {
        String adapted = command.replace("localhost:8080", "localhost:" + port)
                .replace("jdbc:postgresql://localhost:5432/shop", database.replaceFirst("\\?.*", ""))
                .replace("--user postgres", "--user " + parameter("user"))
                .replace("--id ID", "--id " + id)
                .replaceFirst("^mvn ", "maven ")
                .replaceFirst("^\\./refrain ", root + "/refrain ");
        var process = new ProcessBuilder("bash", "-c", "source " + root + "/.ci/published.sh; " + adapted)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        var environment = process.environment();
        environment.put("PATH", System.getProperty("java.home") + "/bin:" + environment.get("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("SERVER_PORT", Integer.toString(port));
        // What the page's application.properties say is for a database at the usual place.
        environment.put("SPRING_DATASOURCE_URL", database);
        environment.put("SPRING_DATASOURCE_USERNAME", parameter("user"));
        environment.put("SPRING_DATASOURCE_PASSWORD", parameter("password"));
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        environment.put("QUARKUS_DATASOURCE_JDBC_URL", database.replaceFirst("\\?.*", ""));
        environment.put("QUARKUS_DATASOURCE_USERNAME", parameter("user"));
        environment.put("QUARKUS_DATASOURCE_PASSWORD", parameter("password"));
        environment.put("REFRAIN_STORE_PASSWORD", parameter("password"));
        return process;
    }

    private String parameter(String name) {
        var found = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(database);
        return found.find() ? found.group(1) : "";
    }

    private void awaitPort(Process application) throws IOException, InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS); System.nanoTime() < end; Thread.sleep(200)) {
            try (var socket = new Socket("localhost", port)) {
                return;
            } catch (IOException notYet) {
                if (!application.isAlive()) {
                    break;
                }
            }
        }
        throw new IllegalStateException(
                "The application does not listen:\n" + Files.readString(folder.resolve("application.log")));
    }

    private static void compare(String command, String printed, List<String> shown) {
        var lines = printed.lines().map(String::strip).toList();
        int from = 0;
        for (String line : shown) {
            var expected = Pattern.compile("\\Q" + line.strip().replace("…", "\\E.*\\Q") + "\\E");
            int at = from;
            while (at < lines.size() && !expected.matcher(lines.get(at)).matches()) {
                at++;
            }
            if (at == lines.size()) {
                throw new IllegalStateException("The page shows: " + line + "\nafter: " + command + "\nbut it printed:\n" + printed);
            }
            from = at + 1;
        }
    }
}
