package dev.refrain.internal.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes JSON values (maps, lists, strings, decimals, booleans, {@link #NULL}), spells them and changes them. */
public final class RandomJson {

    public static final Object NULL = "null itself".toCharArray();

    private static final String[] TEXTS = {
        "", "a", "b", "ab", "A", "ä", "€", "😀", "\u0000", "\n", "\"", "\\", "/", "\u007f", "\u2028", "\ufb33", "0",
        "null"
    };

    private final Random random;

    public RandomJson(Random random) {
        this.random = random;
    }

    public Object container(int depth) {
        return random.nextBoolean() ? members(depth) : elements(depth);
    }

    private Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> NULL;
            case 1 -> random.nextBoolean();
            case 2, 3 -> number();
            case 4 -> text();
            case 5 -> elements(depth);
            default -> members(depth);
        };
    }

    private BigDecimal number() {
        BigDecimal number = BigDecimal.valueOf(random.nextInt(-1_000, 1_000_000), random.nextInt(-6, 9));
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }

    private Map<String, Object> members(int depth) {
        var members = new LinkedHashMap<String, Object>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.put(text(), value(depth - 1));
        }
        return members;
    }

    private List<Object> elements(int depth) {
        var elements = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            elements.add(value(depth - 1));
        }
        return elements;
    }

    /** The same value with one thing in it added, removed or replaced. */
    public Object changed(Object value) {
        if (value instanceof Map<?, ?> map) {
            var members = new LinkedHashMap<Object, Object>(map);
            if (members.isEmpty() || random.nextInt(4) == 0) {
                members.put(text() + "!", value(1));
            } else {
                Object name = List.copyOf(members.keySet()).get(random.nextInt(members.size()));
                Object old = members.get(name);
                if (random.nextInt(4) == 0) {
                    members.remove(name);
                } else {
                    members.put(name, changed(old));
                }
            }
            return members;
        }
        if (value instanceof List<?> list) {
            var elements = new ArrayList<Object>(list);
            if (elements.isEmpty() || random.nextInt(4) == 0) {
                elements.add(random.nextInt(elements.size() + 1), value(1));
            } else if (random.nextInt(4) == 0) {
                elements.remove(random.nextInt(elements.size()));
            } else {
                int at = random.nextInt(elements.size());
                elements.set(at, changed(elements.get(at)));
            }
            return elements;
        }
        return switch (value) {
            case BigDecimal number ->
                random.nextBoolean() ? number.add(number.ulp()).stripTrailingZeros() : number.toString();
            case String text -> random.nextBoolean() ? text + "x" : List.of(text);
            case Boolean truth -> random.nextBoolean() ? !truth : NULL;
            default -> "null";
        };
    }

    /** One of the many texts that mean this value. */
    public String spelled(Object value) {
        String core = switch (value) {
            case Map<?, ?> map -> {
                var members = new ArrayList<String>();
                map.forEach((name, member) -> members.add(quoted((String) name) + space() + ":" + spelled(member)));
                Collections.shuffle(members, random);
                yield "{" + space() + String.join(",", members) + "}";
            }
            case List<?> list ->
                "[" + space()
                        + String.join(",", list.stream().map(this::spelled).toList()) + "]";
            case BigDecimal number -> spelled(number);
            case String text -> quoted(text);
            case Boolean truth -> truth.toString();
            default -> "null";
        };
        return space() + core + space();
    }

    private String spelled(BigDecimal number) {
        return switch (random.nextInt(4)) {
            case 0 -> number.toPlainString();
            case 1 -> number.unscaledValue() + (random.nextBoolean() ? "e" : "E") + -number.scale();
            case 2 -> number.unscaledValue() + ".0e" + -number.scale();
            default -> number.setScale(Math.max(0, number.scale()) + 2).toPlainString();
        };
    }

    private String quoted(String text) {
        var out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\' || random.nextInt(4) == 0) {
                for (char half : Character.toChars(c)) {
                    out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) half));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('"').toString();
    }

    private String space() {
        return List.of("", "", " ", "\n", "\t \r\n").get(random.nextInt(5));
    }
}
