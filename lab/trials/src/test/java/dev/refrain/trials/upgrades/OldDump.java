package dev.refrain.trials.upgrades;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tables and rows as one version wrote them on one database, and what that version knew of them.
 *
 * <p>Two files: {@code postgresql.sql} is plain SQL, and {@code postgresql.facts} holds a line for each fact, such as a record's id and the
 * keys that were derived from it. Neither is ever changed once its version is released.
 */
record OldDump(String version, String dialect) {

    static final String WRITTEN = "-- written: ";
    static final String TIMES = "-- times: ";

    private static final Pattern INSERTED = Pattern.compile("^INSERT INTO (\\w+) ");

    @Override
    public String toString() {
        return version + " on " + dialect;
    }

    /** All there are, each version on each database. */
    static List<OldDump> all() {
        try (var versions = Files.list(directory())) {
            return versions.map(path -> path.getFileName().toString())
                    .sorted()
                    .flatMap(version -> EmptyDatabase.DIALECTS.stream().map(dialect -> new OldDump(version, dialect)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory() {
        try {
            URI place = Objects.requireNonNull(OldDump.class.getResource("/dumps"), "no dumps")
                    .toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fills an empty database and moves every time in it, so that all of it was written that long ago by the database's clock. */
    void load(EmptyDatabase database, Duration age) throws SQLException {
        String text = text();
        try (var connection = database.source().getConnection()) {
            long shift = database.now(connection)
                    - Instant.parse(headed(WRITTEN, text)).toEpochMilli()
                    - age.toMillis();
            database.execute(connection, text + shifting(database, headed(TIMES, text), shift));
        }
    }

    private static String shifting(EmptyDatabase database, String times, long shift) {
        var columns = new LinkedHashMap<String, List<String>>();
        for (String column : times.split(" ")) {
            int dot = column.indexOf('.');
            columns.computeIfAbsent(column.substring(0, dot), table -> new ArrayList<>())
                    .add(column.substring(dot + 1));
        }
        return columns.entrySet().stream()
                .map(table -> "UPDATE " + table.getKey() + " SET "
                        + table.getValue().stream()
                                .map(column -> column + " = " + database.later(column, shift))
                                .collect(Collectors.joining(", "))
                        + ";\n")
                .collect(Collectors.joining());
    }

    /** How many rows of each table there are. */
    Map<String, Long> rows() {
        return text().lines()
                .map(INSERTED::matcher)
                .filter(inserted -> inserted.find())
                .collect(Collectors.groupingBy(inserted -> inserted.group(1), TreeMap::new, Collectors.counting()));
    }

    /** What the version that wrote it knew. */
    Map<String, String> facts() {
        return read("facts").lines().collect(Collectors.toMap(OldDump::name, OldDump::value));
    }

    private static String name(String line) {
        return line.substring(0, line.indexOf('='));
    }

    private static String value(String line) {
        return line.substring(line.indexOf('=') + 1);
    }

    private static String headed(String head, String text) {
        return text.lines()
                .filter(line -> line.startsWith(head))
                .findFirst()
                .orElseThrow()
                .substring(head.length());
    }

    private String text() {
        return read("sql");
    }

    /** Returns whether both of its files are there. */
    boolean isComplete() {
        return Files.exists(file("sql")) && Files.exists(file("facts"));
    }

    private Path file(String kind) {
        return directory().resolve(version).resolve(dialect + "." + kind);
    }

    private String read(String kind) {
        try {
            return Files.readString(file(kind));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
