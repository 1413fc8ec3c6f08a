package dev.refrain.packager;

import static dev.refrain.packager.StartedGateway.require;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Uses the archives and the image as their users do: unpacks them, starts the gateway, sees a replay and a clean stop. Validates the manifests
 * and the unit, and that licences are complete.
 *
 * <p>Arguments: the folder with the archives, and an empty one for work.
 */
public final class DistributionCheck {

    private static final String USER = Integer.toString(ContainerImage.USER);

    private final Path archives;
    private final Path work;
    private final String name;

    private DistributionCheck(Path archives, Path work) throws IOException {
        this.archives = archives;
        this.work = work;
        try (var found = Files.list(archives)) {
            this.name = found.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("refrain-.*\\.zip"))
                    .findFirst()
                    .orElseThrow(() -> new PackagingException(
                            "No archive in " + archives + ". Run ./mvnw -Prelease verify -DskipTests first."))
                    .replaceFirst("\\.zip$", "");
        }
    }

    public static void main(String[] arguments) throws Exception {
        try {
            var check = new DistributionCheck(
                    Path.of(arguments[0]).toAbsolutePath(),
                    Path.of(arguments[1]).toAbsolutePath());
            Path installed = check.checkArchive();
            check.checkKubernetes(installed);
            check.checkUnit(installed);
            check.checkArchiveWithRuntime();
            check.checkImage();
        } catch (PackagingException failure) {
            System.err.println("Distribution: " + failure.getMessage());
            System.exit(1);
        }
    }

    private static void passed(String text) {
        System.out.println("Distribution checked: " + text);
    }

    private static void skipped(String text) {
        System.out.println("Distribution NOT checked: " + text);
    }

    // --- archives

    private Path checkArchive() throws Exception {
        Path installed = unpack(name + ".tar.gz", "archive");
        checkLicences(installed);
        var java = Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", "/usr/bin:/bin");
        String version = command(java, installed.resolve("bin/refrain").toString(), "--version")
                .strip();
        require(
                ("refrain-" + version.lines().findFirst().orElse("").replace("refrain ", "")).equals(name),
                "--version says " + version);
        String bench = run(java, 1, installed.resolve("bin/refrain").toString(), "bench");
        require(bench.contains("not part of this distribution"), "bench says " + bench);
        String example = run(java, 1, installed.resolve("bin/refrain").toString(), "example", "payments-servlet");
        require(example.contains("not part of this distribution"), "example says " + example);
        command(
                java,
                installed.resolve("bin/refrain").toString(),
                "gateway",
                "--config",
                installed.resolve("conf/gateway.yaml").toString(),
                "--check-config");
        checkGateway("archive with a JDK, Java " + Runtime.version(), installed, java);
        return installed;
    }

    private void checkArchiveWithRuntime() throws Exception {
        String archive = name + "-" + JavaRuntime.platform() + ".tar.gz";
        Path installed = unpack(archive, "with-runtime");
        checkLicences(installed);
        require(Files.exists(installed.resolve("runtime/legal/java.base/LICENSE")), "the runtime has no licence");
        // Nothing but what the launcher needs is on the PATH.
        Path path = Files.createDirectories(work.resolve("path"));
        for (String tool : List.of("sh", "dirname", "readlink", "sed")) {
            Files.createSymbolicLink(
                    path.resolve(tool), Path.of("/usr/bin", tool).toRealPath());
        }
        checkGateway("archive with its own runtime, no Java on the PATH", installed, Map.of("PATH", path.toString()));
    }

    private Path unpack(String archive, String folder) throws Exception {
        Path to = Files.createDirectories(work.resolve(folder));
        command("tar", "-xzf", archives.resolve(archive).toString(), "-C", to.toString());
        return to.resolve(name);
    }

    private static void checkLicences(Path installed) throws IOException {
        Path licences = installed.resolve("licences");
        String list = Files.readString(licences.resolve("THIRD-PARTY.md"));
        String sbom = Files.readString(licences.resolve("sbom.cyclonedx.json"));
        try (var jars = Files.list(installed.resolve("lib"))) {
            for (Path jar : jars.toList()) {
                String artifact = jar.getFileName().toString().replaceFirst("-\\d.*", "");
                require(list.contains("| " + artifact + " |"), "THIRD-PARTY.md does not name " + artifact);
                require(sbom.contains("\"" + artifact + "\""), "the SBOM does not name " + artifact);
            }
        }
        for (String file : List.of("LICENSE", "NOTICE", "licences/Apache-2.0.txt", "completion/refrain.bash")) {
            require(Files.exists(installed.resolve(file)), file + " is missing");
        }
    }

    private void checkGateway(String what, Path installed, Map<String, String> environment) throws Exception {
        Path folder = Files.createDirectories(installed.resolveSibling("run"));
        try (var gateway = new StartedGateway(folder, (config, log) -> {
            var builder = new ProcessBuilder(
                            installed.resolve("bin/refrain").toString(), "gateway", "--config", config.toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            return builder.start();
        })) {
            Optional<String> java = gateway.java().info().command();
            require(
                    !Files.exists(installed.resolve("runtime"))
                            || java.filter(command -> command.startsWith(installed.toString()))
                                    .isPresent(),
                    "it runs " + java + ", not the Java of the archive");
            gateway.checkReplay();
            gateway.checkDrain();
            passed(String.format(
                    Locale.ROOT,
                    "%s: ready after %d ms, replay, drain",
                    what,
                    gateway.startTime().toMillis()));
        }
    }

    // --- manifests and the unit

    private void checkKubernetes(Path installed) throws Exception {
        int checked = 0;
        try (var files = Files.list(installed.resolve("kubernetes"))) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode document : KubernetesSchema.documents(file)) {
                    var problem = KubernetesSchema.problemOf(document);
                    require(problem.isEmpty(), file.getFileName() + ": " + problem.orElse(""));
                    // A schema that refuses nothing would say nothing.
                    var misspelt = (ObjectNode) document.deepCopy();
                    ((ObjectNode) misspelt.path("metadata")).put("nmae", "x");
                    require(KubernetesSchema.problemOf(misspelt).isPresent(), "the schema accepts a misspelt field");
                    checked++;
                }
            }
        }
        passed(checked + " Kubernetes manifests, by the schema of its Java client");
    }

    private void checkUnit(Path installed) throws Exception {
        Path unit = work.resolve("refrain-gateway.service");
        Files.writeString(
                unit,
                Files.readString(installed.resolve("systemd/refrain-gateway.service"))
                        .replace("/opt/refrain", installed.toString()));
        if (!Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
            skipped("the systemd unit, there is no systemd-analyze here (Debian's package is systemd).");
            return;
        }
        command("systemd-analyze", "verify", "--man=no", unit.toString());
        passed("the systemd unit, by systemd-analyze verify");
    }

    // --- the image

    private void checkImage() throws Exception {
        Path tar = archives.resolve(name + "-image-linux-x64.tar");
        if (!Files.exists(tar)) {
            skipped("the container image, which this build did not make.");
            return;
        }
        Path unpacked = Files.createDirectories(work.resolve("image"));
        command("tar", "-xf", tar.toString(), "-C", unpacked.toString());
        var manifest = JsonMapper.shared()
                .readTree(Files.readAllBytes(unpacked.resolve("manifest.json")))
                .get(0);
        var config = JsonMapper.shared()
                .readTree(Files.readAllBytes(
                        unpacked.resolve(manifest.path("Config").asString())))
                .path("config");
        require(config.path("User").asString().equals(USER + ":" + USER), "the image runs as " + config.path("User"));
        var health = words(config.path("Healthcheck").path("Test"));
        require(health.containsAll(List.of("gateway", "health")), "the image has the health check " + health);
        if (!mayMount()) {
            skipped("the container image as a process: that needs root, who may mount, and unshare.");
            return;
        }
        Path root = Files.createDirectories(work.resolve("root"));
        for (JsonNode layer : manifest.path("Layers")) {
            command(
                    "tar",
                    "-xpf",
                    unpacked.resolve(layer.asString()).toString(),
                    "-C",
                    root.toString(),
                    "--numeric-owner");
        }
        runImage(root, config, health);
    }

    private void runImage(Path root, JsonNode config, List<String> health) throws Exception {
        Path folder = Files.createDirectories(work.resolve("image-run"));
        try (var gateway = new StartedGateway(folder, (file, log) -> {
            var words = new ArrayList<>(inContainer(
                    root, file.resolveSibling(""), config.path("WorkingDir").asString()));
            words.addAll(words(config.path("Entrypoint")));
            words.addAll(words(config.path("Cmd")));
            return new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        })) {
            var java = gateway.java();
            String status = Files.readString(Path.of("/proc/" + java.pid() + "/status"));
            require(status.contains("\nUid:\t" + USER + "\t" + USER), "the process does not run as " + USER);
            // The image's own health check, at the port of this run.
            var check = new ArrayList<>(List.of(
                    "/usr/bin/nsenter",
                    "--target",
                    Long.toString(java.pid()),
                    "--mount",
                    "--pid",
                    "--root",
                    "--wd",
                    "--setuid",
                    USER,
                    "--setgid",
                    USER,
                    "--"));
            check.addAll(health.subList(1, health.size()));
            check.addAll(List.of("--admin", Integer.toString(gateway.adminPort())));
            long begun = System.nanoTime();
            command(Map.of(), check.toArray(String[]::new));
            long millis = (System.nanoTime() - begun) / 1_000_000;
            gateway.checkReplay();
            gateway.checkDrain();
            passed(String.format(
                    Locale.ROOT,
                    "container image, unpacked, as user %s on a read-only root: ready after %d ms, health check in %d ms, replay, drain",
                    USER,
                    gateway.startTime().toMillis(),
                    millis));
        }
    }

    private static List<String> words(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    /** Has a command run as in a container: processes and mounts of its own, a read-only root, no privileges. */
    private static List<String> inContainer(Path root, Path config, String folder) {
        String script = "set -e; root=$1; config=$2; shift 2;"
                + " mount --bind \"$root\" \"$root\"; mount --bind \"$config\" \"$root/etc/refrain\";"
                + " mount -t proc proc \"$root/proc\"; mount -t tmpfs tmpfs \"$root/tmp\"; mount -t tmpfs -o mode=755 tmpfs \"$root/dev\";"
                + " mount -t tmpfs -o uid=65532,gid=65532,mode=700 tmpfs \"$root/var/lib/refrain\";"
                + " for device in null random urandom; do touch \"$root/dev/$device\"; mount --bind /dev/$device \"$root/dev/$device\"; done;"
                + " mount -o remount,bind,ro \"$root\";"
                + " exec setpriv --no-new-privs --clear-groups env -i PATH=/usr/bin unshare --root=\"$root\" --wd=/var/lib/refrain --setgid 65532 --setuid 65532 -- \"$@\"";
        require(folder.equals("/var/lib/refrain"), "the image works in " + folder);
        return List.of(
                "/usr/bin/unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--",
                "/bin/sh",
                "-c",
                script,
                "sh",
                root.toString(),
                config.toString());
    }

    private static boolean mayMount() throws InterruptedException {
        try {
            return new ProcessBuilder("/usr/bin/unshare", "--mount", "--pid", "--fork", "--", "/bin/true")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noUnshare) {
            return false;
        }
    }

    // --- commands

    private static String command(String... words) throws Exception {
        return command(System.getenv(), words);
    }

    private static String command(Map<String, String> environment, String... words) throws Exception {
        return run(environment, 0, words);
    }

    /** Runs a command in an environment, and returns what it prints. */
    private static String run(Map<String, String> environment, int expectedCode, String... words) throws Exception {
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        var process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        require(code == expectedCode, String.join(" ", words) + " ended with " + code + ": " + said);
        return said;
    }
}
