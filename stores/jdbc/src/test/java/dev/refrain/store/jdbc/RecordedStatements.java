package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** What was prepared on each connection of a DataSource. */
final class RecordedStatements {

    private final Map<Connection, List<String>> texts = new ConcurrentHashMap<>();
    private final DataSource source;

    RecordedStatements(DataSource inner) {
        source = instead(DataSource.class, inner, "getConnection", (sound, none) -> recorded(sound.getConnection()));
    }

    DataSource source() {
        return source;
    }

    private Connection recorded(Connection connection) {
        var prepared = new CopyOnWriteArrayList<String>();
        texts.put(connection, prepared);
        return instead(Connection.class, connection, "prepareStatement", (sound, arguments) -> {
            prepared.add((String) arguments[0]);
            return sound.prepareStatement((String) arguments[0]);
        });
    }

    /** All texts of those connections on which one with that word was prepared. */
    List<String> ofConnectionsWith(String word) {
        return texts.values().stream()
                .filter(list -> list.stream().anyMatch(text -> text.contains(word)))
                .flatMap(List::stream)
                .toList();
    }
}
