package dev.refrain.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per version from the archive on the class path. */
record PostgresBinaries(Path directory) {

    private static final String COUNT_FILE = "unpacked-files";

    static PostgresBinaries unpackedIn(Path base) {
        String archive = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"));
        try {
            Path directory = base.resolve("postgres-" + digest(archive));
            if (!isWhole(directory)) {
                Path fresh = Files.createTempDirectory(base, "unpacking-");
                unpack(archive, fresh);
                moveInto(directory, fresh);
            }
            return new PostgresBinaries(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack PostgreSQL into " + base, e);
        }
    }

    String program(String name) {
        return directory.resolve("bin").resolve(name).toString();
    }

    static String archiveName(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = switch (osArch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> osArch;
        };
        return "postgres-" + os + "-" + arch + ".txz";
    }

    private static InputStream open(String archive) {
        InputStream stream = PostgresBinaries.class.getResourceAsStream("/" + archive);
        if (stream == null) {
            throw new TestServerException(
                    "There is no " + archive + " on the class path: no PostgreSQL is packaged for this"
                            + " platform, so name a server of your own in " + SharedPostgres.VARIABLE + ".");
        }
        return stream;
    }

    private static String digest(String archive) throws IOException {
        try (var stream = new DigestInputStream(open(archive), MessageDigest.getInstance("SHA-256"))) {
            stream.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(stream.getMessageDigest().digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Returns whether no file is missing: cleaners of temporary folders delete single files. */
    private static boolean isWhole(Path directory) throws IOException {
        Path count = directory.resolve(COUNT_FILE);
        return Files.exists(count) && Files.readString(count).equals(countFiles(directory));
    }

    private static String countFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return Long.toString(
                    files.filter(file -> !file.endsWith(COUNT_FILE)).count());
        }
    }

    private static void unpack(String archive, Path target) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(open(archive))))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException(archive + " holds a path that leads out of it: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                if (path.getParent() != null) {
                    Files.createDirectories(path.getParent());
                }
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else if (entry.isLink()) {
                    Files.createLink(path, target.resolve(entry.getLinkName()).normalize());
                } else {
                    Files.copy(tar, path);
                    boolean program = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
        // Temporary directories are made for their owner alone; the server may run as another user.
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(target.resolve(COUNT_FILE), countFiles(target));
    }

    /** Moves the unpacked files into place; of several processes that unpack at once, one wins and the others drop theirs. */
    private static void moveInto(Path directory, Path fresh) throws IOException {
        if (Files.exists(directory) && !isWhole(directory)) {
            DirectoryTrees.delete(directory);
        }
        try {
            Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (!isWhole(directory)) {
                throw e;
            }
            DirectoryTrees.delete(fresh);
        }
    }
}
