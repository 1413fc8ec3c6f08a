package dev.refrain.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Deletes, copies and changes the owner of directory trees. */
final class DirectoryTrees {

    private DirectoryTrees() {}

    /** Visitor that tolerates files which others delete meanwhile. */
    private abstract static class Visitor extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }

    /** Deletes a tree if it exists. */
    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new Visitor() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Copies all directories, and the files that the predicate selects. */
    static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        Files.walkFileTree(from, new Visitor() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                var same = PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(directory));
                Files.createDirectories(to.resolve(from.relativize(directory)), same);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path relative = from.relativize(file);
                if (wanted.test(relative)) {
                    try {
                        Files.copy(file, to.resolve(relative), StandardCopyOption.COPY_ATTRIBUTES);
                    } catch (NoSuchFileException gone) {
                        return visitFileFailed(file, gone);
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static void giveTo(Path directory, String owner) throws IOException {
        UserPrincipal principal =
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
        try (var paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.setOwner(path, principal);
            }
        }
    }
}
