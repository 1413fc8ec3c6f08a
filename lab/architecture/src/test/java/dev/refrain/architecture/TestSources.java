package dev.refrain.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The source files in which there are tests. */
final class TestSources {

    private TestSources() {}

    /** Returns files of main code too: the contracts of the stores and of the HTTP edges are tests that others run. */
    static List<Path> files() throws IOException {
        var found = new ArrayList<Path>();
        var folders = new ArrayList<>(List.of("lab/architecture"));
        for (var module : BuildModule.values()) {
            folders.add(module.folder());
        }
        for (String folder : folders) {
            for (String part : List.of("src/main/java", "src/test/java")) {
                var root = Path.of("../..", folder, part);
                if (Files.isDirectory(root)) {
                    try (var files = Files.walk(root)) {
                        found.addAll(files.filter(any -> any.toString().endsWith(".java"))
                                .toList());
                    }
                }
            }
        }
        return found;
    }
}
