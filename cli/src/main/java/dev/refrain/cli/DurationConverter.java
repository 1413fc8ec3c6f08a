package dev.refrain.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 2s}, {@code 5m} and {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        var written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration: use for example 500ms, 2s, 5m or 1h");
        }
        long amount = Long.parseLong(written.group(1));
        return switch (written.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
