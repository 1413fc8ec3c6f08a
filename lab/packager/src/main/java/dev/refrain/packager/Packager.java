package dev.refrain.packager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes what is installed of a release: an archive for machines with a Java, one with a Java of its own for this platform, and a container image.
 * The same sources and the same JDK give the same files, byte for byte.
 */
public final class Packager {

    private static final String MAIN = "dev.refrain.cli.RefrainCommand";
    private static final String IMAGE = "-image-linux-x64";
    private static final String JAVA_LICENCE = "GPL-2.0-only WITH Classpath-exception-2.0";

    private final Path root;
    private final Path sources;
    private final Path output;
    private final Path jars;
    private final String version;
    private final Instant timestamp;
    private final Map<String, String> settings;
    private final ArchiveWriter archives;

    private Packager(Map<String, String> settings) {
        this.settings = settings;
        this.root = Path.of(setting("root"));
        this.sources = root.resolve("dist/src");
        this.output = Path.of(setting("output"));
        this.jars = Path.of(setting("jars"));
        this.version = setting("version");
        this.timestamp = Instant.parse(setting("timestamp"));
        this.archives = new ArchiveWriter(timestamp);
    }

    public static void main(String[] arguments) throws Exception {
        var settings = new HashMap<String, String>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        try {
            new Packager(settings).run();
        } catch (PackagingException failure) {
            System.err.println("Packaging failed: " + failure.getMessage());
            System.exit(1);
        }
    }

    private String setting(String name) {
        return Optional.ofNullable(settings.get(name))
                .orElseThrow(() -> new IllegalArgumentException("The argument " + name + "=… is missing."));
    }

    private void run() throws Exception {
        List<Path> libraries = list(jars);
        var sbom = Sbom.read(Path.of(setting("sbom")));
        var licences = BundledLicences.of(libraries, sbom, sources.resolve("licences"));
        var common = commonFiles(libraries);

        var plain = common.copy();
        addLicences(plain, sbom, licences);
        archives.tarGz(archive(".tar.gz"), under("refrain-" + version, plain));
        archives.zip(archive(".zip"), under("refrain-" + version, plain));
        report(archive(".tar.gz"), licences.jars() + " jars, for Java 21 and later");
        report(archive(".zip"), "the same");

        Path work = fresh("work");
        Path runtime = work.resolve("runtime");
        JavaRuntime.of(sources.resolve("runtime/modules.txt"), libraries).link(runtime);
        String java = Runtime.version().toString();
        var withJava = common.copy();
        withJava.addFolder("runtime", runtime);
        var sbomWithJava =
                sbom.with("platform", "openjdk", java, "pkg:generic/openjdk@" + java.replace("+", "%2B"), JAVA_LICENCE);
        String javaRow = "| OpenJDK (" + System.getProperty("java.vendor") + ") | " + java + " | " + JAVA_LICENCE
                + " | runtime/legal |\n";
        addLicences(withJava, sbomWithJava, licences, javaRow);
        String platform = JavaRuntime.platform();
        archives.tarGz(archive("-" + platform + ".tar.gz"), under("refrain-" + version, withJava));
        report(archive("-" + platform + ".tar.gz"), "with Java " + java);

        var packages = imagePackages(platform);
        if (packages.isEmpty()) {
            // Of an earlier build.
            Files.deleteIfExists(archive(IMAGE + ".tar"));
            Files.deleteIfExists(archive(IMAGE + "-cyclonedx.json"));
        } else {
            writeImage(packages, common, runtime, sbomWithJava, licences, javaRow, work);
        }
        delete(work);
    }

    /** Returns what the container image is based on; empty, with the reason printed, where it is left out. */
    private List<DebianPackage> imagePackages(String platform) throws IOException, InterruptedException {
        if (!platform.equals("linux-x64")) {
            System.out.println(
                    "Container image: not made, it needs a JDK for linux-x64, and this one is for " + platform + ".");
            return List.of();
        }
        try {
            return DebianPackage.ofList(
                    sources.resolve("image/debian-packages.txt"),
                    "amd64",
                    setting("debian"),
                    Path.of(setting("cache")));
        } catch (PackageUnavailableException unavailable) {
            if (setting("publish").equals("true")) {
                throw unavailable;
            }
            System.out.println("Container image: not made. " + unavailable.getMessage());
            return List.of();
        }
    }

    private void writeImage(
            List<DebianPackage> packages,
            PackagedFiles common,
            Path runtime,
            Sbom sbom,
            BundledLicences licences,
            String javaRow,
            Path work)
            throws Exception {
        var rows = new StringBuilder(javaRow);
        var all = sbom;
        for (var one : packages) {
            String licence = one.name().equals("libc6") ? "LGPL-2.1-or-later" : "GPL-2.0-or-later";
            all = all.with(
                    "library",
                    one.name(),
                    one.version(),
                    "pkg:deb/debian/" + one.name() + "@" + one.version().replace("+", "%2B")
                            + "?arch=amd64&distro=debian-13",
                    licence);
            rows.append("| " + one.name() + " (Debian) | " + one.version() + " | " + licence
                    + " and others | /usr/share/doc/" + one.name() + "/copyright |\n");
        }
        var files = common.copy();
        files.addFolder("runtime", runtime);
        addLicences(files, all, licences, rows.toString());
        Path installed = work.resolve("installed");
        files.writeTo(installed);
        Path tar = archive(IMAGE + ".tar");
        String digest = new ContainerImage(timestamp, packages, setting("repository"))
                .write(tar, setting("image"), version, installed, work);
        report(tar, setting("image") + ", " + digest);
        // What is in the image, for those who do not unpack it.
        Files.writeString(archive(IMAGE + "-cyclonedx.json"), all.text());
    }

    private PackagedFiles commonFiles(List<Path> libraries) throws IOException, InterruptedException {
        var files = new PackagedFiles();
        for (Path jar : libraries) {
            files.add("lib/" + jar.getFileName(), Files.readAllBytes(jar));
        }
        for (String folder : List.of("bin", "conf", "systemd", "kubernetes")) {
            files.addFolder(folder, sources.resolve(folder));
        }
        files.add(
                "kubernetes/deployment.yaml",
                withImage(Files.readString(sources.resolve("kubernetes/deployment.yaml"))));
        files.add("completion/refrain.bash", JavaRuntime.output(jars, MAIN, "completion"));
        for (String file : List.of("LICENSE", "NOTICE")) {
            files.add(file, root.resolve(file));
        }
        files.add("README.md", Files.readString(sources.resolve("README.md")).replace("${version}", version));
        return files;
    }

    private String withImage(String deployment) {
        return deployment.replaceAll("(?m)^( *image: ).*$", "$1" + setting("image"));
    }

    private static void addLicences(PackagedFiles files, Sbom sbom, BundledLicences licences, String... rows) {
        licences.files(rows).entries().forEach((path, entry) -> files.entries().put("licences/" + path, entry));
        files.add("licences/sbom.cyclonedx.json", sbom.text());
    }

    private static PackagedFiles under(String folder, PackagedFiles files) {
        var moved = new PackagedFiles();
        files.entries().forEach((path, entry) -> moved.entries().put(folder + "/" + path, entry));
        return moved;
    }

    private Path archive(String suffix) {
        return output.resolve("refrain-" + version + suffix);
    }

    private void report(Path file, String what) throws IOException {
        System.out.printf("%s: %.1f MB, %s%n", root.relativize(file), Files.size(file) / 1e6, what);
    }

    private Path fresh(String name) throws IOException {
        Path folder = output.resolve(name);
        delete(folder);
        return Files.createDirectories(folder);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var found = Files.walk(folder)) {
                for (Path file : found.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (var found = Files.list(folder)) {
            return found.sorted().toList();
        }
    }
}
