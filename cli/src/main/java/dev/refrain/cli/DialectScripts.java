package dev.refrain.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The migrations that stores bring along: {@code dev/refrain/store/jdbc/<dialect>/V<number>__<what>.sql}, joined in the
 * order of their numbers.
 */
final class DialectScripts {

    private static final String FOLDER = "dev/refrain/store/jdbc";
    private static final Pattern MIGRATION = Pattern.compile("V(\\d+)__.+\\.sql");

    private DialectScripts() {}

    /** The whole DDL by dialect. */
    static SortedMap<String, String> onClassPath() {
        var scripts = new TreeMap<String, String>();
        try {
            for (URL folder :
                    Collections.list(DialectScripts.class.getClassLoader().getResources(FOLDER))) {
                URI uri = folder.toURI();
                if (uri.getScheme().equals("jar")) {
                    try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                        collect(jar.getPath(FOLDER), scripts);
                    }
                } else {
                    collect(Path.of(uri), scripts);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The schemas on the class path could not be read", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The class loader gave a URL that is none", e);
        }
        return scripts;
    }

    private static void collect(Path folder, SortedMap<String, String> scripts) throws IOException {
        for (Path dialect : children(folder)) {
            if (!Files.isDirectory(dialect)) {
                continue;
            }
            List<Path> migrations = children(dialect).stream()
                    .filter(file -> number(file) > 0)
                    .sorted(Comparator.comparingLong(DialectScripts::number))
                    .toList();
            if (!migrations.isEmpty()) {
                // Names of folders in a jar may end with a slash.
                scripts.put(name(dialect).replace("/", ""), join(migrations));
            }
        }
    }

    private static String join(List<Path> migrations) throws IOException {
        var whole = new StringBuilder();
        for (Path migration : migrations) {
            whole.append(whole.isEmpty() ? "" : "\n");
            whole.append("-- ").append(name(migration)).append('\n');
            whole.append(Files.readString(migration).stripTrailing()).append('\n');
        }
        return whole.toString();
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.collect(Collectors.toList());
        }
    }

    /** Zero for a file that isn't a migration. */
    private static long number(Path file) {
        Matcher matcher = MIGRATION.matcher(name(file));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
