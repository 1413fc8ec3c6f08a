package dev.refrain.store.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Named SQL file, ready to be prepared: its statements, with {@code ?} for each {@code :parameter}. */
public record SqlScript(String name, List<SqlStatement> statements) {

    /** One statement and the names of its parameters, in the order of its question marks. */
    public record SqlStatement(String sql, List<String> parameters) {}

    /** A name after a colon, unless the colon belongs to a cast. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private static final String BLOCK = "$$";

    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    public static SqlScript parse(String name, String text) {
        var statements = new ArrayList<SqlStatement>();
        for (String sql : split(withoutComments(text))) {
            if (!sql.isBlank()) {
                statements.add(statement(sql.strip()));
            }
        }
        return new SqlScript(name, List.copyOf(statements));
    }

    /** Splits at semicolons, except those of a block between {@code $$} and {@code $$}. */
    private static List<String> split(String text) {
        var statements = new ArrayList<String>();
        int from = 0;
        boolean inBlock = false;
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith(BLOCK, i)) {
                inBlock = !inBlock;
                i++;
            } else if (text.charAt(i) == ';' && !inBlock) {
                statements.add(text.substring(from, i));
                from = i + 1;
            }
        }
        statements.add(text.substring(from));
        return statements;
    }

    public static String withoutComments(String text) {
        return COMMENT.matcher(text).replaceAll("").strip();
    }

    /** Joins all statements of these scripts into one text, with a prefix to run first. */
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
