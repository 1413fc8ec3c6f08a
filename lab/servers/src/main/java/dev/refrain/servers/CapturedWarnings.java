package dev.refrain.servers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What one class warns of, from now until it is closed. */
public final class CapturedWarnings extends Handler implements AutoCloseable {

    private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
    private final Logger log;

    private CapturedWarnings(Logger log) {
        this.log = log;
    }

    public static CapturedWarnings of(Class<?> logging) {
        var captured = new CapturedWarnings(Logger.getLogger(logging.getName()));
        // Whatever level an application of another test has set.
        captured.log.setLevel(Level.ALL);
        captured.setLevel(Level.WARNING);
        captured.log.addHandler(captured);
        return captured;
    }

    public List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void publish(LogRecord logged) {
        if (isLoggable(logged)) {
            messages.add(logged.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        log.removeHandler(this);
        log.setLevel(null);
    }
}
