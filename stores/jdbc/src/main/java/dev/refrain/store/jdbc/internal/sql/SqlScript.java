package dev.refrain.store.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A named SQL file, ready to be prepared: its statements, with {@code ?} for each {@code :parameter}. */
public record SqlScript(String name, List<SqlStatement> statements) {

    /** One statement and the names of its parameters, in the order of its question marks. */
    public record SqlStatement(String sql, List<String> parameters) {}

    /** A name after a colon, unless the colon belongs to a cast. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private static final Pattern SAVEPOINT = Pattern.compile("\\b(?<kind>refrain_(?:work|open)_)0\\b");

    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    public static SqlScript parse(String name, String text) {
        var statements = new ArrayList<SqlStatement>();
        for (String sql : withoutComments(text).split(";", -1)) {
            if (!sql.isBlank()) {
                statements.add(statement(sql.strip()));
            }
        }
        return new SqlScript(name, List.copyOf(statements));
    }

    /** The same with savepoints of that number. */
    public SqlScript numbered(String number) {
        return new SqlScript(
                name + '#' + number,
                statements.stream()
                        .map(s -> new SqlStatement(
                                SAVEPOINT.matcher(s.sql()).replaceAll("${kind}" + number), s.parameters()))
                        .toList());
    }

    public static String withoutComments(String text) {
        return COMMENT.matcher(text).replaceAll("").strip();
    }

    /** All statements of these scripts in one text, with something to be run first. */
    public static SqlStatement pipelined(String first, List<SqlScript> scripts) {
        var sql = new StringBuilder(first);
        var parameters = new ArrayList<String>();
        for (var script : scripts) {
            for (var statement : script.statements()) {
                sql.append(sql.isEmpty() ? "" : ";\n").append(statement.sql());
                parameters.addAll(statement.parameters());
            }
        }
        return new SqlStatement(sql.toString(), parameters);
    }

    private static SqlStatement statement(String sql) {
        var parameters = new ArrayList<String>();
        Matcher matcher = PARAMETER.matcher(sql);
        var text = new StringBuilder();
        while (matcher.find()) {
            parameters.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new SqlStatement(text.toString(), List.copyOf(parameters));
    }
}
