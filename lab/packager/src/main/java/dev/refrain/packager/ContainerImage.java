package dev.refrain.packager;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Container image of the gateway and the command line, made by Jib without a daemon and without a registry: C library, Java runtime, jars of
 * others, jars of ours, in one layer each. It runs as user 65532, has no shell, and can be loaded by Docker and Podman.
 */
final class ContainerImage {

    static final int USER = 65532;
    private static final String HOME = "/opt/refrain";
    private static final String JAVA = HOME + "/runtime/bin/java";
    private static final String MAIN = "dev.refrain.cli.RefrainCommand";
    private static final String STATE = "/var/lib/refrain";

    /** Of the C library: what programs link, and how hosts are looked up. */
    private static final Pattern LIBRARY = Pattern.compile(
            "usr/lib/[^/]+/(ld-linux-[^/]*|lib(c|dl|m|pthread|resolv|rt|util|nss_dns|nss_files)\\.so\\.\\d+)");

    /** What is said of the packages: what system they are of, and their licences. */
    private static final Pattern PAPERS = Pattern.compile(
            "usr/lib/os-release|etc/debian_version|usr/share/doc/[^/]+/copyright|usr/share/common-licenses/L?GPL-[23](\\.\\d)?");

    /** Asks only whether the process answers: where health decides on restarts, a restart mends no store. */
    private static final List<String> HEALTH = List.of(
            "CMD",
            JAVA,
            "-Xmx32m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            HOME + "/lib/*",
            MAIN,
            "gateway",
            "health",
            "--live");

    private final ArchiveWriter archives;
    private final Instant timestamp;
    private final List<DebianPackage> packages;
    private final String repository;

    /** @param repository where the sources are: host and path, without a scheme */
    ContainerImage(Instant timestamp, List<DebianPackage> packages, String repository) {
        this.archives = new ArchiveWriter(timestamp);
        this.timestamp = timestamp;
        this.packages = packages;
        this.repository = repository;
    }

    /**
     * Writes the image as a file for {@code docker load}.
     *
     * @param installed the unpacked archive, with its runtime
     * @param work a folder for what is needed in between
     * @return the digest of the image
     */
    String write(Path tar, String name, String version, Path installed, Path work) throws Exception {
        Path base = work.resolve("base.tar");
        writeBase(base);
        var container = Jib.from(TarImage.at(base))
                .setFormat(ImageFormat.Docker)
                .setCreationTime(timestamp)
                .addFileEntriesLayer(layer("Java runtime", installed, path -> path.startsWith("runtime/")))
                .addFileEntriesLayer(layer("jars of others", installed, path -> isJar(path) && !isOurs(path)))
                .addFileEntriesLayer(layer("jars of Refrain", installed, path -> isJar(path) && isOurs(path)))
                .addFileEntriesLayer(layer("licences", installed, ContainerImage::isPaper))
                .setUser(USER + ":" + USER)
                .setWorkingDirectory(AbsoluteUnixPath.get(STATE))
                .setExposedPorts(Port.tcp(8080), Port.tcp(9090))
                .setEntrypoint(
                        JAVA,
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        HOME + "/lib/*",
                        MAIN)
                .setProgramArguments("gateway", "--config", "/etc/refrain/gateway.yaml")
                .setLabels(Map.of(
                        "org.opencontainers.image.title", "Refrain",
                        "org.opencontainers.image.description",
                                "Gateway that adds idempotency keys to any HTTP service",
                        "org.opencontainers.image.source", "https://" + repository,
                        "org.opencontainers.image.licenses", "Apache-2.0",
                        "org.opencontainers.image.version", version))
                .containerize(Containerizer.to(TarImage.at(tar).named(name))
                        .setOfflineMode(true)
                        .setToolName("refrain-packager")
                        .setBaseImageLayersCache(work.resolve("base-cache"))
                        .setApplicationLayersCache(work.resolve("layer-cache")));
        return container.getDigest().toString();
    }

    private static boolean isJar(String path) {
        return path.startsWith("lib/");
    }

    private static boolean isOurs(String path) {
        return path.startsWith("lib/refrain-");
    }

    private static boolean isPaper(String path) {
        return path.startsWith("licences/") || path.equals("LICENSE") || path.equals("NOTICE");
    }

    private FileEntriesLayer layer(String name, Path installed, Predicate<String> chosen) throws IOException {
        var layer = FileEntriesLayer.builder().setName(name);
        try (var found = Files.walk(installed)) {
            for (Path file : found.sorted().toList()) {
                String path = installed.relativize(file).toString();
                if (Files.isRegularFile(file) && chosen.test(path)) {
                    layer.addEntry(
                            file,
                            AbsoluteUnixPath.get(HOME + "/" + path),
                            FilePermissions.fromOctalString(Files.isExecutable(file) ? "755" : "644"),
                            timestamp);
                }
            }
        }
        return layer.build();
    }

    /** Writes the image below: the C library, a user, a place for state, and the health check, which Jib takes over from it. */
    private void writeBase(Path file) throws IOException {
        byte[] layer = baseLayer();
        String layerDigest = sha256(layer);
        byte[] config = JsonMapper.shared()
                .writeValueAsBytes(Map.of(
                        "architecture",
                        "amd64",
                        "os",
                        "linux",
                        "created",
                        timestamp.toString(),
                        "config",
                        Map.of(
                                "Healthcheck",
                                Map.of(
                                        "Test",
                                        HEALTH,
                                        "Interval",
                                        30_000_000_000L,
                                        "Timeout",
                                        10_000_000_000L,
                                        "StartPeriod",
                                        60_000_000_000L,
                                        "Retries",
                                        3)),
                        "rootfs",
                        Map.of("type", "layers", "diff_ids", List.of("sha256:" + layerDigest))));
        byte[] manifest = JsonMapper.shared()
                .writeValueAsBytes(List.of(Map.of(
                        "Config",
                        "config.json",
                        "RepoTags",
                        List.of("refrain-base:latest"),
                        "Layers",
                        List.of(layerDigest + ".tar"))));
        try (var tar = ArchiveWriter.tar(Files.newOutputStream(file))) {
            archives.addFile(tar, "config.json", config, 0644);
            archives.addFile(tar, layerDigest + ".tar", layer, 0644);
            archives.addFile(tar, "manifest.json", manifest, 0644);
        }
    }

    private byte[] baseLayer() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = ArchiveWriter.tar(bytes)) {
            for (String folder : List.of(
                    "dev", "etc", "etc/refrain", "proc", "sys", "usr", "usr/lib", "usr/lib64", "var", "var/lib")) {
                archives.addFolder(tar, folder, 0755, 0);
            }
            archives.addFolder(tar, "tmp", 01777, 0);
            archives.addFolder(tar, STATE.substring(1), 0700, USER);
            archives.addLink(tar, "lib", "usr/lib");
            archives.addLink(tar, "lib64", "usr/lib64");
            archives.addLink(tar, "etc/os-release", "../usr/lib/os-release");
            for (var one : packages) {
                for (var file : one.files().entrySet()) {
                    String path = file.getKey();
                    if (LIBRARY.matcher(path).matches() || PAPERS.matcher(path).matches()) {
                        archives.addFile(
                                tar,
                                path,
                                file.getValue().content(),
                                file.getValue().mode());
                    }
                    if (path.matches("usr/lib/[^/]+/ld-linux-[^/]*")) {
                        archives.addLink(
                                tar, "usr/lib64/" + path.substring(path.lastIndexOf('/') + 1), "../../" + path);
                    }
                }
                // Where scanners look for packages in an image without dpkg.
                addText(tar, "var/lib/dpkg/status.d/" + one.name(), one.control());
            }
            addText(
                    tar,
                    "etc/passwd",
                    "root:x:0:0:root:/root:/sbin/nologin\nrefrain:x:65532:65532:Refrain:" + STATE + ":/sbin/nologin\n");
            addText(tar, "etc/group", "root:x:0:\nrefrain:x:65532:\n");
            addText(tar, "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
        }
        return bytes.toByteArray();
    }

    private void addText(TarArchiveOutputStream tar, String path, String text) throws IOException {
        archives.addFile(tar, path, text.getBytes(StandardCharsets.UTF_8), 0644);
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
