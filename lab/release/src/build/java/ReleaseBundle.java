import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Gathers what {@code ./mvnw -Prelease verify} made of each published module in one zip, laid out as a Maven repository with checksums: what the
 * portal of Maven Central takes, and what can be unpacked as a local repository. The same files give the same zip, byte for byte.
 *
 * <p>Run as a source file: {@code java ReleaseBundle.java ROOT TARGET VERSION ZIP}.
 */
public final class ReleaseBundle {

    private static final String GROUP = "dev/refrain/";
    private static final List<String> JAR_FILES = List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
    private static final Map<String, String> CHECKSUMS =
            new TreeMap<>(Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512"));

    private final Path root;
    private final String target;
    private final String version;
    private final Map<String, byte[]> entries = new TreeMap<>();
    private int signatures;

    private ReleaseBundle(Path root, String target, String version) {
        this.root = root;
        this.target = target;
        this.version = version;
    }

    public static void main(String[] args) throws Exception {
        var bundle = new ReleaseBundle(Path.of(args[0]), args[1], args[2]);
        var zip = Path.of(args[3]);
        bundle.gather();
        Files.createDirectories(zip.getParent());
        bundle.write(zip);
        System.out.printf(
                "Bundle: %s, %d files, %s%n",
                Path.of(args[0]).relativize(zip),
                bundle.entries.size(),
                bundle.signatures == 0 ? "unsigned (no key was given)" : bundle.signatures + " signatures");
    }

    private void gather() throws Exception {
        Map<String, Path> folders = foldersOfArtifacts();
        add(folders.get("refrain-bom"), "refrain-bom", List.of());
        var listed = texts(
                parse(folders.get("refrain-bom").resolve("pom.xml")),
                "/project/dependencyManagement/dependencies/dependency/artifactId");
        for (String artifact : listed) {
            if (!folders.containsKey(artifact)) {
                throw new IllegalStateException("bom/pom.xml lists " + artifact + ", which no module of the build makes.");
            }
            add(folders.get(artifact), artifact, JAR_FILES);
        }
    }

    private Map<String, Path> foldersOfArtifacts() throws Exception {
        var folders = new TreeMap<String, Path>();
        for (String module : texts(parse(root.resolve("pom.xml")), "/project/modules/module")) {
            var pom = parse(root.resolve(module).resolve("pom.xml"));
            folders.put(texts(pom, "/project/artifactId").get(0), root.resolve(module));
        }
        return folders;
    }

    private void add(Path folder, String artifact, List<String> suffixes) throws IOException, NoSuchAlgorithmException {
        var output = folder.resolve(target);
        String name = artifact + "-" + version;
        addSigned(output, artifact, name + ".pom", output.resolve("published-pom.xml"));
        for (String suffix : suffixes) {
            addSigned(output, artifact, name + suffix, output.resolve(name + suffix));
        }
    }

    private void addSigned(Path output, String artifact, String name, Path file)
            throws IOException, NoSuchAlgorithmException {
        if (!Files.exists(file)) {
            throw new IllegalStateException(file + " is missing: run ./mvnw -Prelease verify on the whole build.");
        }
        String path = GROUP + artifact + "/" + version + "/" + name;
        byte[] content = Files.readAllBytes(file);
        entries.put(path, content);
        for (var checksum : CHECKSUMS.entrySet()) {
            byte[] digest = MessageDigest.getInstance(checksum.getValue()).digest(content);
            entries.put(
                    path + "." + checksum.getKey(), HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII));
        }
        for (var signature : List.of(output.resolve(name + ".asc"), output.resolve("gpg").resolve(name + ".asc"))) {
            // One that is older than the file is of an earlier build.
            if (Files.exists(signature)
                    && Files.getLastModifiedTime(signature).compareTo(Files.getLastModifiedTime(file)) >= 0) {
                entries.put(path + ".asc", Files.readAllBytes(signature));
                signatures++;
                return;
            }
        }
    }

    private void write(Path zip) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (var entry : entries.entrySet()) {
                var head = new ZipEntry(entry.getKey());
                head.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
                out.putNextEntry(head);
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
    }

    private static Document parse(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
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
