package dev.refrain.verify;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A header that goes with every request. Its value may be a secret: {@link #toString} does not show it. */
public record VerifyHeader(String name, String value) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    /**
     * @param text such as <code>Authorization: Bearer ${API_TOKEN}</code>
     * @param environment where variables are looked up
     */
    public static VerifyHeader parse(String text, UnaryOperator<@Nullable String> environment) {
        int colon = text.indexOf(':');
        if (colon < 1 || text.substring(0, colon).isBlank()) {
            throw new InvalidVerifySettingsException(
                    "A header is written 'Name: value'; one of those given has no name and colon in front.");
        }
        String name = text.substring(0, colon).strip();
        String value = VARIABLE.matcher(text.substring(colon + 1).strip())
                .replaceAll(found -> Matcher.quoteReplacement(look(environment, found.group(1), name)));
        return new VerifyHeader(name, value);
    }

    private static String look(UnaryOperator<@Nullable String> environment, String variable, String header) {
        String value = environment.apply(variable);
        if (value == null) {
            throw new InvalidVerifySettingsException(
                    "The header " + header + " wants the environment variable " + variable + ", which is not set.");
        }
        return value;
    }

    boolean is(String other) {
        return name.equalsIgnoreCase(other);
    }

    @Override
    public String toString() {
        return name + ": •••";
    }
}
