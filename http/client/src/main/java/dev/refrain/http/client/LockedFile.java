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
 * A file that one sender of one process has to itself.
 *
 * <p>POSIX gives a lock to a process, and takes it away as soon as the process closes the file, through whichever handle. So a
 * process must know which files it holds before it opens any of them, even for reading: a register of the whole process, as
 * the locks are. A second lock, on the folder, makes sure that the file under a name is still the one that was opened: it is
 * held for the moment in which a file is opened and locked, or deleted.
 */
final class LockedFile {

    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
    private static final ReentrantLock TURN = new ReentrantLock();
    private static final Set<Path> HELD = new HashSet<>();

    /** Beyond what is ever written, because on Windows a locked range cannot be read by others. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private final Path file;
    private final FileChannel channel;

    private LockedFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Empty if it is held by anyone, or is not there and is not to be made. */
    static Optional<LockedFile> tryLock(Path file, Set<? extends OpenOption> options) throws IOException {
        TURN.lock();
        try (var folder = lockFolder(file)) {
            if (HELD.contains(file)) {
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
            HELD.add(file);
            return Optional.of(new LockedFile(file, channel));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } finally {
            TURN.unlock();
        }
    }

    /** What is in a file that this process does not hold; empty if it does, or if there is none. */
    static Optional<byte[]> peek(Path file) throws IOException {
        TURN.lock();
        try {
            return HELD.contains(file) ? Optional.empty() : Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } finally {
            TURN.unlock();
        }
    }

    byte[] read() throws IOException {
        channel.position(0);
        return Channels.newInputStream(channel).readAllBytes();
    }

    /** Until this returns the file may be half written; afterwards it is on the disk, but its name may not be. */
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
        TURN.lock();
        try (var folder = lockFolder(file)) {
            Files.deleteIfExists(file);
        } finally {
            TURN.unlock();
        }
    }

    void close() throws IOException {
        TURN.lock();
        try {
            channel.close();
        } finally {
            HELD.remove(file);
            TURN.unlock();
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
