package dev.refrain.store.redis;

import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.StoreOpener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Opens a {@link RedisStore} by its URL, whose parameters are the settings of {@link RedisStoreBuilder}: {@code
 * redis://HOST:PORT?key-prefix=shop&timeout=2s&wait-for-replicas=1&wait-within=200ms}. Others are Lettuce's. Thread-safe.
 */
public final class RedisStoreOpener implements StoreOpener {

    private static final Pattern SCHEME = Pattern.compile("(?i)(redis|rediss|redis-sentinel|rediss-sentinel):.*");

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");

    /** Parameters that Lettuce reads itself, in lower case. */
    private static final List<String> OF_LETTUCE =
            List.of("db", "database", "clientname", "libraryname", "libraryversion", "sentinelmasterid", "verifypeer");

    @Override
    public boolean accepts(String url) {
        return SCHEME.matcher(url).matches();
    }

    @Override
    public String examples() {
        return "redis://HOST:PORT, rediss://HOST:PORT, redis-sentinel://HOST:PORT#MASTER";
    }

    @Override
    public Store open(StoreLocation location) {
        if (!location.schema().isEmpty()) {
            throw new IllegalArgumentException(
                    "Redis has no schemas. Leave the schema out; ?key-prefix=NAME in the URL tells stores on one server apart.");
        }
        var url = location.url();
        int mark = url.indexOf('#');
        String fragment = mark < 0 ? "" : url.substring(mark);
        String whole = mark < 0 ? url : url.substring(0, mark);
        int query = whole.indexOf('?');
        var parameters = query < 0
                ? List.<String>of()
                : List.of(whole.substring(query + 1).split("&", -1));
        var ofLettuce =
                parameters.stream().filter(RedisStoreOpener::isOfLettuce).toList();
        var builder = RedisStore.builder((query < 0 ? whole : whole.substring(0, query))
                + (ofLettuce.isEmpty() ? "" : "?" + String.join("&", ofLettuce))
                + fragment);
        location.password().ifPresent(secret -> builder.login(location.user().orElse(""), secret));
        var ours = new ArrayList<>(parameters);
        ours.removeAll(ofLettuce);
        configure(builder, ours);
        return builder.build();
    }

    private static boolean isOfLettuce(String parameter) {
        return OF_LETTUCE.contains(name(parameter).toLowerCase(Locale.ROOT));
    }

    private static void configure(RedisStoreBuilder builder, List<String> parameters) {
        var replicas = 0;
        var within = Duration.ofMillis(200);
        boolean synced = false;
        for (String parameter : parameters) {
            String value = parameter.substring(
                    Math.min(parameter.length(), name(parameter).length() + 1));
            switch (name(parameter)) {
                case "key-prefix" -> builder.keyPrefix(value);
                case "timeout" -> builder.timeout(time(parameter, value));
                case "wait-for-replicas" -> replicas = number(parameter, value);
                case "wait-for-sync" -> synced = yes(parameter, value);
                case "wait-within" -> within = time(parameter, value);
                case "allow-eviction" -> builder.allowEviction(yes(parameter, value));
                default ->
                    throw new IllegalArgumentException(
                            "The URL of the Redis store has the parameter '" + name(parameter)
                                    + "', but may have key-prefix, timeout, wait-for-replicas, wait-for-sync, wait-within and"
                                    + " allow-eviction, and those of Lettuce.");
            }
        }
        if (synced) {
            builder.waitForSync(replicas, within);
        } else if (replicas > 0) {
            builder.waitForReplicas(replicas, within);
        }
    }

    private static String name(String parameter) {
        int equals = parameter.indexOf('=');
        return equals < 0 ? parameter : parameter.substring(0, equals);
    }

    private static Duration time(String parameter, String value) {
        var read = TIME.matcher(value);
        if (!read.matches()) {
            throw unreadable(parameter, "a time such as 200ms or 2s");
        }
        long amount = Long.parseLong(read.group(1));
        return read.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
    }

    private static int number(String parameter, String value) {
        if (!value.matches("\\d{1,4}")) {
            throw unreadable(parameter, "a number");
        }
        return Integer.parseInt(value);
    }

    private static boolean yes(String parameter, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw unreadable(parameter, "true or false");
        }
        return value.equals("true");
    }

    private static IllegalArgumentException unreadable(String parameter, String wanted) {
        return new IllegalArgumentException(
                "The URL of the Redis store has '" + parameter + "', but " + name(parameter) + " is " + wanted + ".");
    }
}
