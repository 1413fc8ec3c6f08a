package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Data directory of a server that was never started, made once per version: to make one takes several seconds, to copy it a moment. */
record MariadbDataTemplate(Path directory) {

    static MariadbDataTemplate in(Path base, MariadbBinaries binaries) {
        Path directory = base.resolve(binaries.directory().getFileName() + "-data");
        if (!Files.exists(directory)) {
            try {
                Path fresh = Files.createTempDirectory(base, "preparing-");
                install(binaries, fresh.resolve("data"), fresh.resolve("install.log"));
                MariadbBinaries.moveInto(directory, fresh.resolve("data"));
                DirectoryTrees.delete(fresh);
            } catch (IOException e) {
                throw new UncheckedIOException("Could not prepare " + directory, e);
            }
        }
        return new MariadbDataTemplate(directory);
    }

    private static void install(MariadbBinaries binaries, Path data, Path log) throws IOException {
        PostgresProcess.run(binaries.areMysql() ? mysql(binaries, data) : mariadb(binaries, data), log);
        Files.createFile(data.resolve(MariadbBinaries.WHOLE));
    }

    private static List<String> mysql(MariadbBinaries binaries, Path data) {
        return List.of(
                binaries.server(),
                "--no-defaults",
                "--initialize-insecure",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + binaries.directory(),
                "--datadir=" + data,
                "--innodb-log-file-size=32M");
    }

    private static List<String> mariadb(MariadbBinaries binaries, Path data) {
        return List.of(
                "sh",
                binaries.directory().resolve("scripts/mariadb-install-db").toString(),
                "--no-defaults",
                "--force",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + binaries.directory(),
                "--datadir=" + data,
                "--skip-name-resolve",
                "--skip-test-db",
                "--innodb-log-file-size=32M",
                "--auth-root-authentication-method=normal");
    }
}
