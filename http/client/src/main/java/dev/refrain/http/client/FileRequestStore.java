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
 * Intents in a folder, one file for each, named by a hash of the key. Thread-safe, also between processes.
 *
 * <ol>
 *   <li>The file is made and locked.
 *   <li>The intent is written, and the file and its folder are forced to the disk. Only then is anything sent.
 *   <li>The file is deleted when the answer has come. That is not forced: if it is undone by a crash, the request is sent once
 *       more and its answer is replayed.
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
            make(folder.toAbsolutePath());
        }
        // By its real name, so that two ways to the folder do not look like two folders.
        return new FileRequestStore(folder.toRealPath());
    }

    /** A name is safe once the folder that it is in was forced to the disk, and so is the folder's own. */
    private static void make(Path folder) throws IOException {
        var above = folder.getParent();
        if (above != null && !Files.isDirectory(above)) {
            make(above);
        }
        Files.createDirectories(folder, POSIX ? OWNER_ONLY : ANYONE);
        if (above != null) {
            forceNames(above);
        }
    }

    @Override
    public Optional<PendingRequestLock> save(PendingRequest intent) throws IOException {
        var held = LockedFile.tryLock(fileOf(intent.key()), Set.of(CREATE, READ, WRITE));
        return held.isEmpty() ? Optional.empty() : Optional.of(kept(held.get(), intent));
    }

    private PendingRequestLock kept(LockedFile file, PendingRequest intent) throws IOException {
        try {
            var there = PendingRequestFormat.read(file.read());
            if (there.isEmpty()) {
                write(file, intent);
            }
            return new FileRequestLock(file, there.orElse(intent), there.isEmpty());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** What could not be kept is told to be, and is not sent; so it must not be found later as if it had been. */
    private void write(LockedFile file, PendingRequest intent) throws IOException {
        try {
            file.write(PendingRequestFormat.write(intent));
            forceNames(folder);
        } catch (IOException | RuntimeException e) {
            file.delete();
            throw e;
        }
    }

    @Override
    public Optional<PendingRequestLock> acquire(String key) throws IOException {
        var held = LockedFile.tryLock(fileOf(key), Set.of(READ, WRITE));
        return held.isEmpty() ? Optional.empty() : taken(held.get());
    }

    private static Optional<PendingRequestLock> taken(LockedFile file) throws IOException {
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

    /** One that cannot be read must not hide the others. */
    private static Optional<PendingRequest> read(Path file) {
        try {
            var content = LockedFile.peek(file);
            return content.isEmpty() ? Optional.empty() : PendingRequestFormat.read(content.get());
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.WARNING, () -> file + " is left as it is: it cannot be read.", unreadable);
            return Optional.empty();
        }
    }

    private Path fileOf(String key) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash, 0, 16) + SUFFIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** Windows keeps names safe by itself, and lets no folder be opened. */
    private static void forceNames(Path folder) throws IOException {
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
                LOG.log(System.Logger.Level.WARNING, "An intent's lock could not be given back.", e);
            }
        }
    }
}
