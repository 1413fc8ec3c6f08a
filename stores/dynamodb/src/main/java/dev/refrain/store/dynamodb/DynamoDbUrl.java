package dev.refrain.store.dynamodb;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * URL of a table: {@code dynamodb://REGION/TABLE}, with settings behind it.
 *
 * @param region such as {@code eu-central-1}
 */
record DynamoDbUrl(String region, String table, Map<String, String> parameters) {

    private static final String WANTED = "Write dynamodb://REGION/TABLE, such as dynamodb://eu-central-1/refrain.";
    private static final Pattern PLACE =
            Pattern.compile("(?i)dynamodb://([a-z0-9-]{1,40})/([A-Za-z0-9_.-]{3,255})(?:\\?(.*))?");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final List<String> KNOWN = List.of("endpoint", "timeout", "clock-allowance");

    static boolean isOfDynamoDb(String url) {
        return url.regionMatches(true, 0, "dynamodb:", 0, "dynamodb:".length());
    }

    /** @throws IllegalArgumentException if it cannot be read; the message does not repeat it */
    static DynamoDbUrl read(String url) {
        var read = PLACE.matcher(url);
        if (!read.matches()) {
            throw new IllegalArgumentException("The URL of the DynamoDB store cannot be read. " + WANTED
                    + " Credentials are those of the environment, or a user and a password beside the URL.");
        }
        var parameters = new LinkedHashMap<String, String>();
        if (read.group(3) != null) {
            for (String parameter : read.group(3).split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                if (!KNOWN.contains(name)) {
                    throw new IllegalArgumentException("The URL of the DynamoDB store has the parameter '" + name
                            + "', but may have " + String.join(", ", KNOWN) + ".");
                }
                parameters.put(name, equals < 0 ? "" : parameter.substring(equals + 1));
            }
        }
        return new DynamoDbUrl(read.group(1), read.group(2), parameters);
    }

    /** Returns the address of another server than that of the region. */
    Optional<URI> endpoint() {
        String text = parameters.get("endpoint");
        if (text == null) {
            return Optional.empty();
        }
        try {
            var uri = new URI(text);
            if (uri.getHost() != null && (text.startsWith("http://") || text.startsWith("https://"))) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw unreadable("endpoint", "an address such as http://localhost:8000");
    }

    Optional<Duration> time(String name) {
        String text = parameters.get(name);
        if (text == null) {
            return Optional.empty();
        }
        var read = TIME.matcher(text);
        if (!read.matches()) {
            throw unreadable(name, "a time such as 200ms or 2s");
        }
        long amount = Long.parseLong(read.group(1));
        return Optional.of(
                switch (read.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }

    private IllegalArgumentException unreadable(String name, String wanted) {
        return new IllegalArgumentException("The URL of the DynamoDB store has '" + name + "=" + parameters.get(name)
                + "', but " + name + " is " + wanted + ".");
    }
}
