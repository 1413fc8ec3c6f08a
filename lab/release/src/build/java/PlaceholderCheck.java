import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses to publish a release while the tree has placeholders instead of addresses that somebody owns. A bundle that is not published is only
 * told of them.
 *
 * <p>Run as a source file: {@code java PlaceholderCheck.java ROOT VERSION [publish=true]}. Exits with 1 if the release is refused.
 */
public final class PlaceholderCheck {

    private static final List<String> PLACEHOLDERS = List.of("forge.invalid/", "registry.invalid/", "PLACEHOLDER");
    private static final List<String> PLACES =
            List.of("pom.xml", "SECURITY.md", ".github", "dist/pom.xml", "dist/src", "docs/install.md");

    public static void main(String[] args) throws IOException {
        boolean published = args.length > 2 && args[2].equals("publish=true");
        var found = new ArrayList<String>();
        for (String place : PLACES) {
            Path path = Path.of(args[0], place);
            if (Files.exists(path)) {
                try (var files = Files.walk(path)) {
                    for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                        search(Path.of(args[0]), file, found);
                    }
                }
            }
        }
        if (found.isEmpty()) {
            return;
        }
        if (!published) {
            System.out.println("Placeholders to fill in before a release is published: " + found.size() + " lines (.ci/set-repository lists the files).");
            return;
        }
        found.forEach(line -> System.err.println("Placeholder: " + line));
        System.err.println("Version " + args[1] + " cannot be published with placeholders. Run .ci/set-repository and see \"Before the first release\" in"
                + " CONTRIBUTING.md; without -Drefrain.release.publish=true a bundle for a local repository is built.");
        System.exit(1);
    }

    private static void search(Path root, Path file, List<String> found) throws IOException {
        var lines = Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (PLACEHOLDERS.stream().anyMatch(lines.get(i)::contains)) {
                found.add(root.relativize(file) + ":" + (i + 1));
            }
        }
    }
}
