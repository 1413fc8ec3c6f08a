package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Directory of one running server, with a file lock that the operating system frees when the JVM ends. The next process deletes directories
 * whose lock is free.
 */
final class ScratchDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "owner.lock";

    private final Path path;
    private final FileChannel lock;

    private ScratchDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Returns the folder for the servers of this user. */
    static Path base() {
        String user = System.getProperty("user.name");
        Path base = Path.of(System.getProperty("java.io.tmpdir"), "refrain-servers-" + user);
        try {
            if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(base);
                Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            if (!Files.getOwner(base, LinkOption.NOFOLLOW_LINKS).getName().equals(user)) {
                throw new TestServerException(base + " belongs to another user: remove it, or set java.io.tmpdir.");
            }
            return base;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make " + base, e);
        }
    }

    /** Creates a directory and locks it. Synchronized, because threads of one JVM cannot wait for each other on a file lock. */
    static synchronized ScratchDirectory create(Path base) {
        try (FileChannel gate = open(base.resolve("create.lock"))) {
            gate.lock();
            removeAbandoned(base);
            Path path = base.resolve(ownPrefix() + UUID.randomUUID());
            Files.createDirectory(path);
            FileChannel lock = open(path.resolve(LOCK_FILE));
            lock.lock();
            return new ScratchDirectory(path, lock);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make a directory for a server in " + base, e);
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try (lock) {
            DirectoryTrees.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not remove " + path, e);
        }
    }

    private static void removeAbandoned(Path base) throws IOException {
        String ours = ownPrefix();
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(base, "run-*")) {
            for (Path run : runs) {
                if (!String.valueOf(run.getFileName()).startsWith(ours)) {
                    removeIfAbandoned(run);
                }
            }
        }
    }

    /** Removes a directory whose owner is gone; one without a lock file is just being removed by its owner. */
    private static void removeIfAbandoned(Path run) throws IOException {
        Optional<FileChannel> lock = openExisting(run.resolve(LOCK_FILE));
        if (lock.isEmpty()) {
            return;
        }
        try (FileChannel channel = lock.get();
                FileLock free = channel.tryLock()) {
            if (free != null) {
                Postmaster.recordedIn(run.resolve(ManagedPostgres.DATA))
                        .filter(Postmaster::isPostgres)
                        .ifPresent(Postmaster::kill);
                DirectoryTrees.delete(run);
            }
        }
    }

    private static Optional<FileChannel> openExisting(Path file) throws IOException {
        try {
            return Optional.of(FileChannel.open(file, StandardOpenOption.WRITE));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    /** Returns the name prefix of this process's directories: opening and closing one of their lock files would free it. */
    private static String ownPrefix() {
        ProcessHandle self = ProcessHandle.current();
        long started = self.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
        return "run-" + self.pid() + "-" + started + "-";
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
