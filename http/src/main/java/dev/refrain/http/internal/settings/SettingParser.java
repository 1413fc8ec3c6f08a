package dev.refrain.http.internal.settings;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.Retention;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.observe.LoggedKeyFormat;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Parses setting values as people write them. Every error names the setting and the values it may have. */
public final class SettingParser {

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18}) ?([a-zA-Z]*)");

    private SettingParser() {}

    /** Returns the word for one of few values in settings, such as {@code leased-resume}. */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the words of a setting that has few values, such as {@code strict or lenient}. */
    public static String words(Class<?> values) {
        var words = Arrays.stream(values.getEnumConstants())
                .map(constant -> word((Enum<?>) constant))
                .toList();
        return String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    }

    /** Returns the sentence about a value that is none of a few words. */
    public static String notOneOf(Class<?> values, String setting, Object value) {
        return sentence(setting, String.valueOf(value), words(values));
    }

    public static LoggedKeyFormat loggedKeys(String setting, String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "shortened" -> LoggedKeyFormat.SHORTENED;
            case "full" -> LoggedKeyFormat.FULL;
            // YAML reads a bare off as false.
            case "off", "false" -> LoggedKeyFormat.OFF;
            default -> throw invalidValue(setting, word, "shortened, full or off");
        };
    }

    public static Retention retention(String setting, String word) {
        return word.equalsIgnoreCase("for-ever")
                ? Retention.FOREVER
                : Retention.of(duration(setting, word, "a time such as 24h or 7d, or for-ever"));
    }

    public static InFlightPolicy inFlight(String setting, String word) {
        String lower = word.strip().toLowerCase(Locale.ROOT);
        if (lower.equals("reject")) {
            return new InFlightPolicy.Reject();
        }
        if (lower.equals("async")) {
            return new InFlightPolicy.Async();
        }
        if (lower.equals("wait")) {
            return new InFlightPolicy.Wait(InFlightPolicy.WAIT);
        }
        String may = "reject, wait, wait with a time such as wait 5s, or async";
        if (lower.startsWith("wait ")) {
            return new InFlightPolicy.Wait(duration(setting, lower.substring(5).strip(), may));
        }
        throw invalidValue(setting, word, may);
    }

    /** Returns the comparison of requests without the fields at these JSON pointers. */
    public static RequestFingerprinter ignoredFields(String setting, List<String> pointers) {
        try {
            return RequestFingerprinter.builder()
                    .ignoredFields(pointers.toArray(String[]::new))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
        }
    }

    public static Duration duration(String setting, String word) {
        return duration(setting, word, "a time such as 250ms, 30s, 10m, 24h or 7d");
    }

    /** Parses a size in bytes, or in KB, MB and GB (powers of 1024). */
    public static int size(String setting, String word) {
        String may = "a size such as 1MB, 512KB or 1048576, up to 2147483647 bytes";
        var amount = AMOUNT.matcher(word.strip());
        if (!amount.matches()) {
            throw invalidValue(setting, word, may);
        }
        int shift = switch (amount.group(2).toUpperCase(Locale.ROOT)) {
            case "", "B" -> 0;
            case "KB" -> 10;
            case "MB" -> 20;
            case "GB" -> 30;
            default -> throw invalidValue(setting, word, may);
        };
        long units = Long.parseLong(amount.group(1));
        if (units > Integer.MAX_VALUE >> shift) {
            throw invalidValue(setting, word, may);
        }
        return (int) (units << shift);
    }

    private static Duration duration(String setting, String word, String may) {
        String stripped = word.strip();
        var amount = AMOUNT.matcher(stripped);
        try {
            if (!amount.matches()) {
                return Duration.parse(stripped);
            }
            long units = Long.parseLong(amount.group(1));
            return switch (amount.group(2).toLowerCase(Locale.ROOT)) {
                case "ms" -> Duration.ofMillis(units);
                case "s" -> Duration.ofSeconds(units);
                case "m" -> Duration.ofMinutes(units);
                case "h" -> Duration.ofHours(units);
                case "d" -> Duration.ofDays(units);
                default -> throw invalidValue(setting, word, may);
            };
        } catch (DateTimeParseException | ArithmeticException e) {
            throw invalidValue(setting, word, may);
        }
    }

    private static IllegalArgumentException invalidValue(String setting, String word, String may) {
        return new IllegalArgumentException(sentence(setting, word, may));
    }

    private static String sentence(String setting, String word, String may) {
        return setting + " is '" + word + "', but may be " + may + ".";
    }
}
