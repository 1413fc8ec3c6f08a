package dev.refrain.verify;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Header of requests to the API under test. {@link #toString} masks its value, which may be a secret. Immutable. */
public record OutgoingHeader(String name, String value) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    /**
     * Parses a header and replaces environment variables in its value.
     *
     * @param text for example <code>Authorization: Bearer ${API_TOKEN}</code>
     * @param environment looks up variables
     * @throws InvalidVerifySettingsException if the text is not a header or a variable is not set
     */
    public static OutgoingHeader parse(String text, UnaryOperator<@Nullable String> environment) {
        int colon = text.indexOf(':');
        if (colon < 1 || text.substring(0, colon).isBlank()) {
            throw new InvalidVerifySettingsException("A header has no name: use 'Name: value'.");
        }
        String name = text.substring(0, colon).strip();
        String value = VARIABLE.matcher(text.substring(colon + 1).strip())
                .replaceAll(found -> Matcher.quoteReplacement(variableValue(environment, found.group(1), name)));
        return new OutgoingHeader(name, value);
    }

    private static String variableValue(UnaryOperator<@Nullable String> environment, String variable, String header) {
        String value = environment.apply(variable);
        if (value == null) {
            throw new InvalidVerifySettingsException(
                    "The header " + header + " uses the environment variable " + variable + ", which is not set.");
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
