package dev.refrain.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses an instant such as {@code 2026-11-15T10:00:00Z}, or an age such as {@code 90s}, {@code 15m}, {@code 2h},
 * {@code 3d}.
 */
final class InstantConverter implements ITypeConverter<Instant> {

    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    @Override
    public Instant convert(String text) {
        var ago = AGO.matcher(text);
        if (ago.matches()) {
            long count = Long.parseLong(ago.group(1));
            return Instant.now()
                    .minus(
                            switch (ago.group(2)) {
                                case "s" -> Duration.ofSeconds(count);
                                case "m" -> Duration.ofMinutes(count);
                                case "h" -> Duration.ofHours(count);
                                default -> Duration.ofDays(count);
                            });
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + text
                    + "' is not a time: use for example 2026-11-15T10:00:00Z, or an age such as 15m, 2h or 3d");
        }
    }
}
