package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged about the tables at a start. */
final class MigratorLog {

    private MigratorLog() {}

    static List<String> during(Callable<?> action) {
        return during(SchemaMigrator.class, action);
    }

    /** What a class logs meanwhile. */
    static List<String> during(Class<?> logging, Callable<?> action) {
        var messages = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                messages.add(message.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var log = Logger.getLogger(logging.getName());
        log.addHandler(handler);
        try {
            action.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            log.removeHandler(handler);
        }
        return messages;
    }
}
