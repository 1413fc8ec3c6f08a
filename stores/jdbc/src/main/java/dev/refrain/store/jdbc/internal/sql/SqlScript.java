package dev.refrain.store.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Named SQL file, ready to be prepared: its statements, with {@code ?} for each {@code :parameter}. */
public record SqlScript(String name, List<SqlStatement> statements) {

    /**
     * One statement.
     *
     * @param parameters names, in the order of its question marks
     * @param members what of the rows of a batch it reads, if it takes them as JSON
     * @param picks whether its rows are for the statements after it, as {@code {picked(…)}}, and for nobody else
     * @param required parameter without whose value it is left out; empty if there is none
     */
    public record SqlStatement(
            String sql, List<String> parameters, List<String> members, boolean picks, String required) {

        SqlStatement(String sql, List<String> parameters) {
            this(sql, parameters, List.of(), false, "");
        }

        /** Returns true if it does nothing where nothing was picked: it changes what was picked, or picks among it. */
        boolean needsPicked() {
            return parameters.contains(BatchRows.PICKED)
                    && (picks || sql.startsWith("UPDATE") || sql.startsWith("DELETE"));
        }

        /** Returns true if it is for one row of a batch at a time. */
        boolean isForEachRow() {
            return parameters.stream().anyMatch(name -> !name.equals(BatchRows.ROWS) && !name.equals(BatchRows.PICKED));
        }
    }

    /** A name after a colon, unless the colon belongs to a cast. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private static final Pattern MEMBER = Pattern.compile("PATH '\\$\\.([a-z_]+)'");

    private static final String PICK = "/*pick*/";

    private static final Pattern REQUIRED = Pattern.compile("^/\\*given ([a-z_]+)\\*/");

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

    private static SqlStatement statement(String marked) {
        var required = REQUIRED.matcher(marked);
        boolean conditional = required.find();
        String unconditional = (conditional ? marked.substring(required.end()) : marked).strip();
        boolean picks = unconditional.startsWith(PICK);
        String sql = picks ? unconditional.substring(PICK.length()).strip() : unconditional;
        var parameters = new ArrayList<String>();
        Matcher matcher = PARAMETER.matcher(sql);
        var text = new StringBuilder();
        while (matcher.find()) {
            parameters.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new SqlStatement(
                text.toString(),
                List.copyOf(parameters),
                MEMBER.matcher(sql)
                        .results()
                        .map(found -> found.group(1))
                        .distinct()
                        .toList(),
                picks,
                conditional ? required.group(1) : "");
    }
}
