package dev.refrain.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A named SQL file, ready to be prepared: its statements, with {@code ?} for each {@code :parameter}. */
record Script(String name, List<Statement> statements) {

    /** One statement and the names of its parameters, in the order of its question marks. */
    record Statement(String sql, List<String> parameters) {}

    /** A name after a colon, unless the colon belongs to a cast. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private static final Pattern SAVEPOINT = Pattern.compile("\\b(?<kind>refrain_(?:work|open)_)0\\b");

    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    static Script parse(String name, String text) {
        var statements = new ArrayList<Statement>();
        for (String sql : withoutComments(text).split(";", -1)) {
            if (!sql.isBlank()) {
                statements.add(statement(sql.strip()));
            }
        }
        return new Script(name, List.copyOf(statements));
    }

    /** The same with savepoints of that number. */
    Script numbered(String number) {
        return new Script(
                name + '#' + number,
                statements.stream()
                        .map(s -> new Statement(
                                SAVEPOINT.matcher(s.sql()).replaceAll("${kind}" + number), s.parameters()))
                        .toList());
    }

    static String withoutComments(String text) {
        return COMMENT.matcher(text).replaceAll("").strip();
    }

    /** All statements of these scripts in one text, with something to be run first. */
    static Statement pipelined(String first, List<Script> scripts) {
        var sql = new StringBuilder(first);
        var parameters = new ArrayList<String>();
        for (var script : scripts) {
            for (var statement : script.statements()) {
                sql.append(sql.isEmpty() ? "" : ";\n").append(statement.sql());
                parameters.addAll(statement.parameters());
            }
        }
        return new Statement(sql.toString(), parameters);
    }

    private static Statement statement(String sql) {
        var parameters = new ArrayList<String>();
        Matcher matcher = PARAMETER.matcher(sql);
        var text = new StringBuilder();
        while (matcher.find()) {
            parameters.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new Statement(text.toString(), List.copyOf(parameters));
    }
}
