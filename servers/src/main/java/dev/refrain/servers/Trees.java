package dev.refrain.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import org.jspecify.annotations.Nullable;

/** Whole directory trees: to delete, to hand to another owner. */
final class Trees {

    private Trees() {}

    /** Deletes what is there, and takes no offence at what others delete meanwhile. */
    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
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
