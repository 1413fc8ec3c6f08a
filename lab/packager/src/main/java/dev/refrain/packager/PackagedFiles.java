package dev.refrain.packager;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Files of an archive by their paths in it, in a fixed order, with the few modes that matter. */
final class PackagedFiles {

    /** Entry of an archive. */
    sealed interface Entry {}

    /** Regular file. */
    static final class RegularFile implements Entry {
        private final byte[] content;
        private final boolean executable;

        RegularFile(byte[] content, boolean executable) {
            this.content = content;
            this.executable = executable;
        }

        byte[] content() {
            return content;
        }

        boolean executable() {
            return executable;
        }
    }

    /** Symbolic link. */
    record Link(String target) implements Entry {}

    private final Map<String, Entry> entries = new TreeMap<>();

    Map<String, Entry> entries() {
        return entries;
    }

    void add(String path, byte[] content) {
        entries.put(path, new RegularFile(content, false));
    }

    void add(String path, String text) {
        add(path, text.getBytes(StandardCharsets.UTF_8));
    }

    void add(String path, Path file) throws IOException {
        entries.put(path, new RegularFile(Files.readAllBytes(file), Files.isExecutable(file)));
    }

    void addLink(String path, String target) {
        entries.put(path, new Link(target));
    }

    /** Adds all files and links below a folder. */
    void addFolder(String path, Path folder) throws IOException {
        try (var found = Files.walk(folder)) {
            for (Path file : found.sorted().toList()) {
                String inside = path + "/" + folder.relativize(file).toString().replace('\\', '/');
                if (Files.isSymbolicLink(file)) {
                    addLink(inside, Files.readSymbolicLink(file).toString());
                } else if (Files.isRegularFile(file)) {
                    add(inside, file);
                }
            }
        }
    }

    PackagedFiles copy() {
        var copy = new PackagedFiles();
        copy.entries.putAll(entries);
        return copy;
    }

    /** Writes all files and links below a folder, which must not exist. */
    void writeTo(Path folder) throws IOException {
        for (var entry : entries.entrySet()) {
            Path file = folder.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            switch (entry.getValue()) {
                case RegularFile regular -> {
                    Files.write(file, regular.content());
                    if (regular.executable() && !file.toFile().setExecutable(true, false)) {
                        throw new IOException("Cannot make " + file + " executable.");
                    }
                }
                case Link link -> Files.createSymbolicLink(file, Path.of(link.target()));
            }
        }
    }
}
