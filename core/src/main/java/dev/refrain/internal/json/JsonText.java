package dev.refrain.internal.json;

import java.util.Iterator;

/** Writes JSON as text, with the members of objects in their order and numbers as they were read. */
public final class JsonText {

    private final StringBuilder out = new StringBuilder();
    private final String lineBreak;
    private final String indent;
    private int depth;

    private JsonText(String lineBreak, String indent) {
        this.lineBreak = lineBreak;
        this.indent = indent;
    }

    /** Returns the text on one line, without any space. */
    public static String compact(JsonValue value) {
        return new JsonText("", "").written(value);
    }

    /** Returns the text for people: each member on a line of its own. */
    public static String indented(JsonValue value) {
        return new JsonText("\n", "  ").written(value);
    }

    /** Appends a string in double quotes, with the escapes that RFC 8259 demands and no others. */
    public static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20) {
                        out.append(c < 0x10 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private String written(JsonValue value) {
        append(value);
        return out.toString();
    }

    private void append(JsonValue value) {
        switch (value) {
            case JsonValue.JsonObject object -> {
                var members = object.byName().entrySet().iterator();
                nested('{', '}', members, () -> {
                    var member = members.next();
                    appendString(out, member.getKey());
                    out.append(lineBreak.isEmpty() ? ":" : " : ");
                    append(member.getValue());
                });
            }
            case JsonValue.JsonArray array -> {
                var elements = array.inOrder().iterator();
                nested('[', ']', elements, () -> append(elements.next()));
            }
            case JsonValue.JsonString text -> appendString(out, text.value());
            case JsonValue.JsonNumber number -> out.append(number.literal());
            case JsonValue.Literal literal -> out.append(literal.name());
        }
    }

    private void nested(char open, char close, Iterator<?> entries, Runnable appendNext) {
        out.append(open);
        if (entries.hasNext()) {
            depth++;
            while (entries.hasNext()) {
                newLine();
                appendNext.run();
                out.append(entries.hasNext() ? "," : "");
            }
            depth--;
            newLine();
        }
        out.append(close);
    }

    private void newLine() {
        out.append(lineBreak).append(indent.repeat(depth));
    }
}
