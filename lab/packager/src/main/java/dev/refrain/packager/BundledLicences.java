package dev.refrain.packager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Licences of all jars of an archive: a list, what the jars say themselves, and the texts of those that they only name. Refuses a jar that is
 * not in the SBOM, and one whose licence has no text.
 */
final class BundledLicences {

    private static final Pattern TEXT = Pattern.compile(
            "(?i)(META-INF/(.*/)?)?(LICEN[CS]E|NOTICE|COPYING|COPYRIGHT)[^/]*|META-INF/licen[cs]es/.*[^/]");

    /** Those of them that are licences: a notice is none. */
    private static final Pattern LICENCE_TEXT = Pattern.compile("(?i)(.*/)?(LICEN[CS]E|COPYING)[^/]*|licen[cs]es/.*");

    /** Names that POMs give to licences, where no SPDX id is known to the SBOM. */
    private static final Map<String, String> IDS = Map.of(
            "Bouncy Castle Licence", "MIT",
            "Public Domain, per Creative Commons CC0", "CC0-1.0");

    private static final String HEAD = """
            # Licences of everything in this archive

            The same components are listed in sbom.cyclonedx.json, for programs. The text of a licence is in the file of its name; what a
            component says itself is in the folder of its name.

            | component | version | licence | its own texts |
            |---|---|---|---|
            """;

    private final Path texts;
    private final List<String> problems = new ArrayList<>();
    private final TreeSet<String> ids = new TreeSet<>();
    private final List<String> rows = new ArrayList<>();
    private final PackagedFiles files = new PackagedFiles();

    private BundledLicences(Path texts) {
        this.texts = texts;
    }

    /**
     * @param texts the folder with a text for each SPDX id, as {@code Apache-2.0.txt}
     * @throws PackagingException with a line for each jar that may not be bundled like this
     */
    static BundledLicences of(Iterable<Path> jars, Sbom sbom, Path texts) throws IOException {
        var licences = new BundledLicences(texts);
        for (Path jar : jars) {
            licences.add(jar, sbom);
        }
        licences.addTexts();
        if (!licences.problems.isEmpty()) {
            throw new PackagingException(String.join(System.lineSeparator(), licences.problems));
        }
        return licences;
    }

    private void add(Path jar, Sbom sbom) throws IOException {
        String name = jar.getFileName().toString();
        var found = sbom.componentOf(name);
        if (found.isEmpty()) {
            problems.add(name + " is not in the SBOM.");
            return;
        }
        var component = found.get();
        var own = ownTexts(jar);
        own.forEach((path, content) -> files.add(component.name() + "-" + component.version() + "/" + path, content));
        if (component.licences().isEmpty()) {
            problems.add(name + " names no licence in its POM.");
        }
        var named = new TreeSet<String>();
        for (String licence : component.licences()) {
            String id = IDS.getOrDefault(licence, licence);
            named.add(id);
            if (Files.exists(texts.resolve(id + ".txt"))) {
                ids.add(id);
            } else if (own.keySet().stream()
                    .noneMatch(path -> LICENCE_TEXT.matcher(path).matches())) {
                problems.add(name + " has the licence " + id + ", for which there is no text in " + texts + ".");
            }
        }
        rows.add("| " + component.name() + " | " + component.version() + " | " + String.join(", ", named) + " | "
                + String.join(", ", own.keySet()) + " |");
    }

    private static TreeMap<String, byte[]> ownTexts(Path jar) throws IOException {
        var own = new TreeMap<String, byte[]>();
        try (var zip = new ZipFile(jar.toFile())) {
            for (var entry : zip.stream().toList()) {
                if (!entry.isDirectory()
                        && !entry.getName().endsWith(".class")
                        && TEXT.matcher(entry.getName()).matches()) {
                    String path = entry.getName().replaceFirst("^META-INF/(maven/[^/]*/[^/]*/)?", "");
                    own.put(path, zip.getInputStream(entry).readAllBytes());
                }
            }
        }
        return own;
    }

    private void addTexts() throws IOException {
        for (String id : ids) {
            files.add(id + ".txt", texts.resolve(id + ".txt"));
        }
    }

    int jars() {
        return rows.size();
    }

    /** Returns the files of the folder with the licences. */
    PackagedFiles files(String... moreRows) {
        var list = new StringBuilder(HEAD);
        rows.forEach(row -> list.append(row).append('\n'));
        for (String row : moreRows) {
            list.append(row);
        }
        var all = files.copy();
        all.add("THIRD-PARTY.md", list.toString());
        return all;
    }
}
