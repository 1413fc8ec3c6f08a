package dev.refrain.cli;

import dev.refrain.http.internal.settings.SettingParser;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations as settings have them: {@code 500ms}, {@code 2s}, {@code 5m}, {@code 24h} and {@code 7d}. */
final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            var duration = SettingParser.duration("TIME", text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (IllegalArgumentException invalid) {
            // Picocli names the option.
        }
        throw new TypeConversionException("'" + text + "' is not a duration: use for example 500ms, 2s, 5m, 24h or 7d");
    }
}
