package dev.refrain.http.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Store that keeps each pending request in a file, named by a hash of its key. Thread-safe, also across processes.
 *
 * <ol>
 *   <li>The file is created and locked.
 *   <li>The request is written, and the file and its directory are forced to disk. Only then is anything sent.
 *   <li>The file is deleted when the response has been handled. That is not forced: if a crash undoes it, the request is
 *       sent once more and its response is replayed.
 *   <li>The lock ends with the process that holds it, however it ends.
 * </ol>
 */
final class FileRequestStore implements PendingRequestStore {

    private static final System.Logger LOG = System.getLogger(FileRequestStore.class.getName());
    private static final String SUFFIX = ".intent";
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private static final FileAttribute<?>[] ANYONE = {};
    private static final FileAttribute<?>[] OWNER_ONLY = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    };

    private final Path folder;

    private FileRequestStore(Path folder) {
        this.folder = folder;
    }

    static FileRequestStore in(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            createDurably(folder.toAbsolutePath());
        }
        // Resolve links, so that two paths to the same directory use the same locks.
        return new FileRequestStore(folder.toRealPath());
    }

    /** Forces each new directory to disk, since a file survives a crash only if its directory does. */
    private static void createDurably(Path folder) throws IOException {
        var parent = folder.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            createDurably(parent);
        }
        Files.createDirectories(folder, POSIX ? OWNER_ONLY : ANYONE);
        if (parent != null) {
            forceDirectory(parent);
        }
    }

    @Override
    public Optional<PendingRequestLock> save(PendingRequest intent) throws IOException {
        var locked = LockedFile.tryLock(fileOf(intent.key()), Set.of(CREATE, READ, WRITE));
        return locked.isEmpty() ? Optional.empty() : Optional.of(lockFor(locked.get(), intent));
    }

    private PendingRequestLock lockFor(LockedFile file, PendingRequest intent) throws IOException {
        try {
            var existing = PendingRequestFormat.read(file.read());
            if (existing.isEmpty()) {
                write(file, intent);
            }
            return new FileRequestLock(file, existing.orElse(intent), existing.isEmpty());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Deletes the file if it cannot be forced to disk: the request is then not sent, so it must not be found later. */
    private void write(LockedFile file, PendingRequest intent) throws IOException {
        try {
            file.write(PendingRequestFormat.write(intent));
            forceDirectory(folder);
        } catch (IOException | RuntimeException e) {
            file.delete();
            throw e;
        }
    }

    @Override
    public Optional<PendingRequestLock> acquire(String key) throws IOException {
        var locked = LockedFile.tryLock(fileOf(key), Set.of(READ, WRITE));
        return locked.isEmpty() ? Optional.empty() : lockForExisting(locked.get());
    }

    private static Optional<PendingRequestLock> lockForExisting(LockedFile file) throws IOException {
        Optional<PendingRequestLock> hold = Optional.empty();
        try {
            hold = PendingRequestFormat.read(file.read()).map(intent -> new FileRequestLock(file, intent, false));
            return hold;
        } finally {
            if (hold.isEmpty()) {
                file.close();
            }
        }
    }

    @Override
    public List<PendingRequest> pending() throws IOException {
        var found = new ArrayList<PendingRequest>();
        try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                read(file).ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparing(PendingRequest::firstSent));
        return found;
    }

    /** Skips an unreadable file, so that it does not hide the others. */
    private static Optional<PendingRequest> read(Path file) {
        try {
            var content = LockedFile.peek(file);
            return content.isEmpty() ? Optional.empty() : PendingRequestFormat.read(content.get());
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.WARNING, () -> file + " cannot be read and is skipped.", unreadable);
            return Optional.empty();
        }
    }

    private Path fileOf(String key) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash, 0, 16) + SUFFIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256.", e);
        }
    }

    /** Forces directory entries to disk. Windows does this itself and cannot open directories. */
    private static void forceDirectory(Path folder) throws IOException {
        if (POSIX) {
            try (var names = FileChannel.open(folder, READ)) {
                names.force(true);
            }
        }
    }

    private record FileRequestLock(LockedFile file, PendingRequest request, boolean isNew)
            implements PendingRequestLock {

        @Override
        public void complete() throws IOException {
            file.delete();
        }

        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "Cannot release the lock of a pending request.", e);
            }
        }
    }
}
