package dev.refrain.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** First process of a server, found by {@code postmaster.pid}, and through it all its children. */
final class Postmaster {

    private static final Duration GONE_WITHIN = Duration.ofSeconds(20);
    private static final int STATUS_LINE = 7;

    /** States in which a server accepts connections; a standby does so for reading. */
    private static final Set<String> ACCEPTING = Set.of("ready", "standby");

    private final ProcessHandle process;
    private final boolean ready;

    private Postmaster(ProcessHandle process, boolean ready) {
        this.process = process;
        this.ready = ready;
    }

    /** Finds the server of this data directory; empty if none is recorded or running. */
    static Optional<Postmaster> recordedIn(Path dataDirectory) {
        try {
            List<String> lines = Files.readAllLines(dataDirectory.resolve("postmaster.pid"));
            if (lines.isEmpty()) {
                return Optional.empty();
            }
            boolean ready = lines.size() > STATUS_LINE
                    && ACCEPTING.contains(lines.get(STATUS_LINE).strip());
            return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
                    .filter(Postmaster::runs)
                    .map(handle -> new Postmaster(handle, ready));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new TestServerException("Could not read postmaster.pid in " + dataDirectory, e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isReady() {
        return ready;
    }

    /** Returns whether the process is a PostgreSQL: the recorded id may have been reused since. */
    boolean isPostgres() {
        return process.info()
                .command()
                .filter(command -> command.endsWith("/postgres"))
                .isPresent();
    }

    /** Kills the first process first, so that it neither starts nor restarts others. */
    void kill() {
        List<ProcessHandle> doomed = new ArrayList<>(List.of(process));
        process.descendants().forEach(doomed::add);
        doomed.forEach(ProcessHandle::destroyForcibly);
        ConditionWait.until(
                () -> doomed.stream().noneMatch(Postmaster::runs),
                GONE_WITHIN,
                () -> "PostgreSQL's processes are still there after a SIGKILL: "
                        + doomed.stream().filter(Postmaster::runs).toList());
    }

    /** Returns whether the process runs; a zombie, which the JDK counts as alive, does not. */
    static boolean runs(ProcessHandle handle) {
        if (!handle.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"));
            return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException e) {
            // No /proc on this system, or it ended just now.
            return handle.isAlive();
        }
    }
}
