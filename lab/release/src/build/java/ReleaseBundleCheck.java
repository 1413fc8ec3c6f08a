import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarInputStream;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Refuses a bundle that Maven Central would refuse, or that holds anything but the artifacts of its BOM: reads the zip alone.
 *
 * <p>Of a build it also demands that the interfaces were compared with the release before, and signatures if it is published.
 *
 * <p>Run as a source file: {@code java ReleaseBundleCheck.java ZIP [ROOT TARGET baseline=VERSION newer=ARTIFACT,… publish=true]}. Exits with 1 and
 * one line for each problem.
 */
public final class ReleaseBundleCheck {

    private static final String GROUP = "dev/refrain/";

    /** There is nothing that it could be compared with. */
    private static final String FIRST_RELEASE = "0.1.0";

    private static final List<String> JAR_FILES = List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
    private static final List<String> DEMANDED_IN_POMS = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");

    private final Map<String, byte[]> entries;
    private final String version;
    private final List<String> problems = new ArrayList<>();

    private ReleaseBundleCheck(Map<String, byte[]> entries) {
        this.entries = entries;
        this.version = entries.keySet().stream()
                .filter(path -> path.startsWith(GROUP + "refrain-bom/"))
                .map(path -> path.split("/")[3])
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The bundle has no refrain-bom."));
    }

    public static void main(String[] args) throws Exception {
        var check = new ReleaseBundleCheck(read(Path.of(args[0])));
        var artifacts = check.run();
        boolean ofABuild = args.length == 6;
        String baseline = ofABuild ? args[3].replaceFirst("^baseline=", "") : "";
        if (ofABuild) {
            var newer = List.of(args[4].replaceFirst("^newer=", "").split(","));
            check.checkComparisons(baseline, artifacts, newer, Path.of(args[1]), args[2]);
            check.checkSigned(args[5].equals("publish=true"));
        }
        check.problems.forEach(problem -> System.err.println("Bundle: " + problem));
        if (!check.problems.isEmpty()) {
            System.exit(1);
        }
        System.out.printf("Bundle checked: refrain-bom and %d artifacts of version %s%n", artifacts.size(), check.version);
        if (check.version.endsWith("-SNAPSHOT")) {
            System.out.println("Maven Central takes no snapshots: this bundle is for a local repository.");
        }
        if (ofABuild) {
            System.out.println(
                    baseline.isEmpty()
                            ? "API compatibility: not checked, there is no earlier release (refrain.baseline is not set)."
                            : "API compatibility: compared with " + baseline + ".");
        }
    }

    private List<String> run() throws Exception {
        var bom = parse(entries.get(path("refrain-bom", ".pom")));
        var artifacts = texts(bom, "/project/dependencyManagement/dependencies/dependency/artifactId");
        var expected = new TreeSet<String>();
        expected.add(path("refrain-bom", ".pom"));
        artifacts.forEach(artifact -> JAR_FILES.forEach(suffix -> expected.add(path(artifact, suffix))));
        checkFiles(expected);
        checkPom("refrain-bom", artifacts);
        for (String artifact : artifacts) {
            checkPom(artifact, artifacts);
            checkJar(path(artifact, ".jar"), "META-INF/MANIFEST.MF", ".class");
            checkModuleName(path(artifact, ".jar"));
            checkJar(path(artifact, "-sources.jar"), ".java");
            checkJar(path(artifact, "-javadoc.jar"), "index.html");
        }
        return artifacts;
    }

    private void checkComparisons(String baseline, List<String> artifacts, List<String> newer, Path root, String target) throws Exception {
        if (baseline.isEmpty()) {
            if (!version.replace("-SNAPSHOT", "").equals(FIRST_RELEASE)) {
                problems.add("version " + version + " was compared with no earlier release: set -Drefrain.baseline=" + FIRST_RELEASE
                        + ", or a later one, in .mvn/maven.config");
            }
        } else if (baseline.equals(version)) {
            problems.add("version " + version + " was compared with itself: set -Drefrain.baseline to an earlier release");
        } else {
            for (String module : texts(parse(Files.readAllBytes(root.resolve("pom.xml"))), "/project/modules/module")) {
                var folder = root.resolve(module);
                String artifact = texts(parse(Files.readAllBytes(folder.resolve("pom.xml"))), "/project/artifactId").get(0);
                if (artifacts.contains(artifact) && !newer.contains(artifact)) {
                    checkComparison(baseline, artifact, folder.resolve(target));
                }
            }
        }
    }

    /**
     * The tool that compares passes where it finds no release to compare with, and reports that everything is new; the first line of its report
     * names both jars.
     */
    private void checkComparison(String baseline, String artifact, Path output) throws IOException {
        var report = output.resolve("japicmp").resolve("api-compatibility.diff");
        var jar = output.resolve(artifact + "-" + version + ".jar");
        if (!Files.exists(report)
                || Files.getLastModifiedTime(report).compareTo(Files.getLastModifiedTime(jar)) < 0
                || !Files.readString(report).lines().findFirst().orElse("").endsWith(artifact + "-" + baseline + ".jar")) {
            problems.add(artifact + " was not compared with " + baseline + ", which no repository of this build has: " + report
                    + " is missing, older than the jar, or names no earlier jar. A module that is newer than " + baseline
                    + " is named in refrain.baseline.newer of the root pom.xml");
        }
    }

    private void checkSigned(boolean published) {
        if (published && entries.keySet().stream().noneMatch(path -> path.endsWith(".asc"))) {
            problems.add("nothing is signed, and Maven Central takes signed files alone: set MAVEN_GPG_KEY and MAVEN_GPG_PASSPHRASE");
        }
    }

    private String path(String artifact, String suffix) {
        return GROUP + artifact + "/" + version + "/" + artifact + "-" + version + suffix;
    }

    private void checkFiles(TreeSet<String> expected) throws Exception {
        var unknown = new TreeSet<>(entries.keySet());
        boolean signed = entries.keySet().stream().anyMatch(path -> path.endsWith(".asc"));
        for (String file : expected) {
            if (!unknown.remove(file)) {
                problems.add(file + " is missing");
                continue;
            }
            for (var checksum : Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512")
                    .entrySet()) {
                byte[] digest = MessageDigest.getInstance(checksum.getValue()).digest(entries.get(file));
                byte[] stated = entries.getOrDefault(file + "." + checksum.getKey(), new byte[0]);
                if (!HexFormat.of().formatHex(digest).equals(new String(stated, StandardCharsets.US_ASCII))) {
                    problems.add(file + " does not have the checksum of its ." + checksum.getKey());
                }
                unknown.remove(file + "." + checksum.getKey());
            }
            if (!unknown.remove(file + ".asc") && signed) {
                problems.add(file + " has no signature, others have");
            }
        }
        unknown.forEach(file -> problems.add(file + " is not an artifact of the BOM"));
    }

    private void checkPom(String artifact, List<String> artifacts) throws Exception {
        byte[] content = entries.get(path(artifact, ".pom"));
        if (content == null) {
            return;
        }
        var pom = parse(content);
        for (String element : DEMANDED_IN_POMS) {
            if (texts(pom, "/project/" + element).stream().allMatch(String::isBlank)) {
                problems.add("the POM of " + artifact + " has no " + element);
            }
        }
        if (!texts(pom, "/project/parent").isEmpty()) {
            problems.add("the POM of " + artifact + " has a parent, which is not in the bundle");
        }
        if (new String(content, StandardCharsets.UTF_8).contains("${")) {
            problems.add("the POM of " + artifact + " has a property that nobody resolves");
        }
        for (String used : texts(pom, "//dependency[groupId = 'dev.refrain']/artifactId")) {
            if (!artifacts.contains(used)) {
                problems.add("the POM of " + artifact + " needs " + used + ", which is not in the BOM");
            }
        }
        for (String used : texts(pom, "//dependency[groupId = 'dev.refrain']/version")) {
            if (!used.equals(version)) {
                problems.add("the POM of " + artifact + " needs version " + used + " of ours");
            }
        }
        for (String used : texts(pom, "//dependency[not(groupId = 'dev.refrain')]/version")) {
            if (used.endsWith("-SNAPSHOT")) {
                problems.add("the POM of " + artifact + " needs a snapshot, " + used);
            }
        }
        if (!texts(pom, "//dependency[scope = 'test']").isEmpty()) {
            problems.add("the POM of " + artifact + " lists dependencies of its tests");
        }
    }

    private void checkJar(String path, String... endings) throws IOException {
        byte[] content = entries.get(path);
        if (content == null) {
            return;
        }
        var names = new ArrayList<String>();
        try (var jar = new ZipInputStream(new ByteArrayInputStream(content))) {
            for (var entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        for (String ending : endings) {
            if (names.stream().noneMatch(name -> name.endsWith(ending))) {
                problems.add(path + " holds no " + ending);
            }
        }
    }

    /** The name by which applications on the module path require the jar; without it, it would be made of the file's name. */
    private void checkModuleName(String path) throws IOException {
        byte[] content = entries.get(path);
        if (content == null) {
            return;
        }
        try (var jar = new JarInputStream(new ByteArrayInputStream(content))) {
            var manifest = jar.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue("Automatic-Module-Name");
            if (name == null || !name.startsWith("dev.refrain")) {
                problems.add(path + " has no Automatic-Module-Name");
            }
        }
    }

    private static Map<String, byte[]> read(Path zip) throws IOException {
        var entries = new TreeMap<String, byte[]>();
        try (var file = new ZipFile(zip.toFile())) {
            for (var entry : file.stream().toList()) {
                entries.put(entry.getName(), file.getInputStream(entry).readAllBytes());
            }
        }
        return entries;
    }

    private static Document parse(byte[] content) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(content));
    }

    private static List<String> texts(Document document, String path) throws Exception {
        var nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
        var texts = new ArrayList<String>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }
}
