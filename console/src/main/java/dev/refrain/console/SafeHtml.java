package dev.refrain.console;

import java.util.List;
import java.util.stream.Collectors;

/**
 * HTML that is built, never pasted: text becomes markup only through {@link #text}, which escapes it, so that a hostile
 * key is displayed and not executed. Immutable.
 */
public final class SafeHtml {

    public static final SafeHtml NOTHING = new SafeHtml("");

    private final String markup;

    private SafeHtml(String markup) {
        this.markup = markup;
    }

    /** Escapes any text. */
    public static SafeHtml text(String untrusted) {
        return new SafeHtml(escaped(untrusted));
    }

    /** Concatenates parts. */
    public static SafeHtml concat(List<SafeHtml> parts) {
        return new SafeHtml(parts.stream().map(part -> part.markup).collect(Collectors.joining()));
    }

    public static SafeHtml concat(SafeHtml... parts) {
        return concat(List.of(parts));
    }

    /** Starts an element; its name and attribute names must be constants. */
    public static Element element(String name) {
        return new Element(name, "");
    }

    /** Element under construction. Immutable. */
    public static final class Element {
        private final String name;
        private final String attributes;

        private Element(String name, String attributes) {
            this.name = name;
            this.attributes = attributes;
        }

        /**
         * Adds an attribute.
         *
         * @param untrusted any text; a URL must not come from a client
         */
        public Element with(String attribute, String untrusted) {
            return new Element(name, attributes + " " + attribute + "=\"" + escaped(untrusted) + "\"");
        }

        public Element with(String attribute) {
            return new Element(name, attributes + " " + attribute);
        }

        public SafeHtml content(SafeHtml... content) {
            return new SafeHtml("<" + name + attributes + ">" + concat(content).markup + "</" + name + ">");
        }

        public SafeHtml content(List<SafeHtml> content) {
            return content(concat(content));
        }

        public SafeHtml content(String untrusted) {
            return content(text(untrusted));
        }

        /** Builds an element without content, for example an input. */
        public SafeHtml empty() {
            return new SafeHtml("<" + name + attributes + ">");
        }
    }

    @Override
    public String toString() {
        return markup;
    }

    /** Escapes everything that could end a text or an attribute, or change the text direction. */
    private static String escaped(String untrusted) {
        var safe = new StringBuilder(untrusted.length() + 16);
        untrusted.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                case '\n', '\r', '\t' -> safe.appendCodePoint(c);
                default -> {
                    if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                        safe.append("\\u%04x".formatted(c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                }
            }
        });
        return safe.toString();
    }
}
