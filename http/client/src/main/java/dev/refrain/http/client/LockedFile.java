package dev.refrain.http.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * File that one sender in one process has locked.
 *
 * <p>POSIX grants a lock to a process, and drops it as soon as the process closes the file through any handle. A
 * process must therefore know which files it has locked before it opens any of them, even for reading: that is the
 * static registry. A second lock, on the directory, ensures that the file under a name is still the one that was
 * opened; it is held while a file is opened and locked, or deleted.
 */
final class LockedFile {

    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
    private static final ReentrantLock REGISTRY_LOCK = new ReentrantLock();
    private static final Set<Path> LOCKED = new HashSet<>();

    /** Locks a byte beyond any content, because Windows does not let others read a locked range. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private final Path file;
    private final FileChannel channel;

    private LockedFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Locks a file; empty if someone else has it locked, or if it does not exist and is not to be created. */
    static Optional<LockedFile> tryLock(Path file, Set<? extends OpenOption> options) throws IOException {
        REGISTRY_LOCK.lock();
        try (var folder = lockFolder(file)) {
            if (LOCKED.contains(file)) {
                return Optional.empty();
            }
            var channel = FileChannel.open(file, options, OWNER_ONLY);
            boolean locked = false;
            try {
                locked = channel.tryLock(LOCKED_BYTE, 1, false) != null;
            } finally {
                if (!locked) {
                    channel.close();
                }
            }
            if (!locked) {
                return Optional.empty();
            }
            LOCKED.add(file);
            return Optional.of(new LockedFile(file, channel));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } finally {
            REGISTRY_LOCK.unlock();
        }
    }

    /** Reads a file that this process has not locked; empty if it has, or if the file does not exist. */
    static Optional<byte[]> peek(Path file) throws IOException {
        REGISTRY_LOCK.lock();
        try {
            return LOCKED.contains(file) ? Optional.empty() : Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } finally {
            REGISTRY_LOCK.unlock();
        }
    }

    byte[] read() throws IOException {
        channel.position(0);
        return Channels.newInputStream(channel).readAllBytes();
    }

    /** Writes the content and forces it to disk. The directory entry is not forced. */
    void write(byte[] content) throws IOException {
        channel.truncate(0);
        channel.position(0);
        var left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
            channel.write(left);
        }
        channel.force(true);
    }

    void delete() throws IOException {
        REGISTRY_LOCK.lock();
        try (var folder = lockFolder(file)) {
            Files.deleteIfExists(file);
        } finally {
            REGISTRY_LOCK.unlock();
        }
    }

    void close() throws IOException {
        REGISTRY_LOCK.lock();
        try {
            channel.close();
        } finally {
            LOCKED.remove(file);
            REGISTRY_LOCK.unlock();
        }
    }

    private static FileChannel lockFolder(Path file) throws IOException {
        var channel = FileChannel.open(
                file.resolveSibling("folder.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.lock();
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
