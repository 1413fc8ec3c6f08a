package dev.refrain.trials.kills;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Starts children with the JVM and class path of the tests.
 *
 * <p>Children live for a second or two and are started several times a second, so their start is what the trial costs. A
 * first child that dies in peace leaves its loaded classes in an archive, with which the others start in half the time.
 * Archives know jars only, so the folders on the class path are packed first.
 */
final class ChildJvmLauncher {

    private static final Duration TRAIN_WITHIN = Duration.ofMinutes(10);

    private static final List<String> JVM = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xms32m",
            "-Xmx128m",
            "-Xlog:disable",
            "--enable-native-access=ALL-UNNAMED");

    private final Path folder;
    private final String classPath;
    private Optional<Path> archive = Optional.empty();

    private ChildJvmLauncher(Path folder, String classPath) {
        this.folder = folder;
        this.classPath = classPath;
    }

    /** @param scratch a database that nothing else happens in */
    static ChildJvmLauncher trainedOn(TrialDatabase scratch, Path folder)
            throws IOException, InterruptedException, SQLException {
        var launcher = new ChildJvmLauncher(folder, packed(folder));
        Path trained = folder.resolve("classes.jsa");
        scratch.createWorkTables();
        try (var provider = new TrialProvider(folder.resolve("training.ledger"))) {
            var keys = Files.write(
                    folder.resolve("training.keys"),
                    List.of(
                            KeySchedule.key(TrialMode.TRANSACTIONAL, 0),
                            KeySchedule.key(TrialMode.RESUME, 0),
                            KeySchedule.key(TrialMode.HOLD, 0)));
            var setup = new TrialSetup(folder, scratch, provider, KeySchedule.beginningNow());
            launcher.start(
                            "training",
                            setup.finishing(folder.resolve("training.journal"), keys),
                            "-XX:ArchiveClassesAtExit=" + trained)
                    .awaitGoodEnd(TRAIN_WITHIN);
        }
        launcher.archive = Optional.of(trained).filter(Files::exists);
        return launcher;
    }

    ShopProcess start(String name, ChildArguments orders) throws IOException {
        return start(
                name, orders, archive.map(a -> "-XX:SharedArchiveFile=" + a).orElse("-Xshare:auto"));
    }

    private ShopProcess start(String name, ChildArguments orders, String sharing) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add(sharing);
        command.addAll(List.of("-cp", classPath, ShopProcessMain.class.getName()));
        command.addAll(orders.asArguments());
        return ShopProcess.start(name, command, folder);
    }

    private static String packed(Path folder) throws IOException {
        var parts = new ArrayList<String>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(part);
            if (Files.isDirectory(path)) {
                Path jar = folder.resolve("classes-" + parts.size() + ".jar");
                pack(path, jar);
                parts.add(jar.toString());
            } else if (Files.exists(path)) {
                parts.add(part);
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file);
                var all = Files.walk(directory)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(directory.relativize(path).toString()));
                Files.copy(path, out);
                out.closeEntry();
            }
        }
    }
}
