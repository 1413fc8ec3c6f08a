package dev.refrain.crash;

import java.util.regex.Pattern;

/** Name of a statement in a report. */
record SqlStatementLabel(String sql) {

    private static final int LONGEST = 70;
    private static final Pattern COMMENTS = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern SETTINGS = Pattern.compile("(?i)\\s*(PRAGMA|SET|SHOW)\\b[^;]*$");
    private static final Pattern VERB_AND_TABLE =
            Pattern.compile("(?i)\\b(INSERT|UPDATE|DELETE|SELECT)\\b(?:\\s+INTO|.*?\\bFROM)?\\s+([\\w.\"]+)");

    /** Returns whether the statement only sets something on its connection, so that it needs no crash point. */
    boolean isSetting() {
        return SETTINGS.matcher(sql).lookingAt();
    }

    /** Returns the statement in one line, shortened in the middle. */
    String shortened() {
        String line =
                COMMENTS.matcher(sql).replaceAll(" ").replaceAll("\\s+", " ").strip();
        if (line.length() <= LONGEST) {
            return line;
        }
        return line.substring(0, LONGEST * 2 / 3) + " … " + line.substring(line.length() - LONGEST / 3);
    }

    /** Returns the verb and the table of the statement, to name a commit after. */
    static String target(String shortened) {
        var found = VERB_AND_TABLE.matcher(shortened);
        if (found.find()) {
            return found.group(1) + " " + found.group(2);
        }
        int end = shortened.indexOf(' ');
        return end < 0 ? shortened : shortened.substring(0, end);
    }
}
