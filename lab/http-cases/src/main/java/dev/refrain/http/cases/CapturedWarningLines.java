package dev.refrain.http.cases;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Warnings of one logger, and what else it shows, until this is closed. */
public final class CapturedWarningLines implements AutoCloseable {

    /** Logger of requests whose outcome is unknown. */
    public static final String UNKNOWN_OUTCOMES = "dev.refrain.http.edge.UnknownOutcomeLog";

    private final Queue<LogRecord> shown = new ConcurrentLinkedQueue<>();
    private final Logger logger;
    private final @Nullable Level before;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            shown.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public CapturedWarningLines(String name) {
        logger = Logger.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addHandler(handler);
    }

    public List<String> lines() {
        return shown.stream()
                .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogRecord::getMessage)
                .toList();
    }

    /** Returns whatever is shown where nothing is configured: information too, and the exceptions that are logged with it. */
    public List<String> shown() {
        return shown.stream()
                .map(line -> line.getMessage() + (line.getThrown() == null ? "" : ": " + line.getThrown()))
                .toList();
    }

    /** Returns the lines that contain this text, in order: other tests may run beside this one. */
    public List<String> containing(String text) {
        return lines().stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setLevel(before);
    }
}
