package dev.refrain.store.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * URL of a server, with the parameters that are ours taken out of what Lettuce reads.
 *
 * @param subject what the URL is of, as in "of the Redis store"
 * @param uris what Lettuce reads: a server, or nodes of a Cluster
 * @param parameters our parameters and their values
 */
record RedisUrl(String subject, List<RedisURI> uris, Map<String, String> parameters) {

    private static final Pattern SCHEME = Pattern.compile("(?i)(redis|rediss|redis-sentinel|rediss-sentinel):.*");

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

    /** Parameters that Lettuce reads itself, in lower case. */
    private static final List<String> OF_LETTUCE =
            List.of("db", "database", "clientname", "libraryname", "libraryversion", "sentinelmasterid", "verifypeer");

    /** Returns true if the text begins like the URL of a server. */
    static boolean isOfRedis(String url) {
        return SCHEME.matcher(url).matches();
    }

    /**
     * Reads a URL.
     *
     * @param known the parameters that may be set, for a message also those of Lettuce
     * @throws IllegalArgumentException if it cannot be read; the message does not repeat it, since it may hold a password
     */
    static RedisUrl read(String subject, String url, List<String> known) {
        int mark = url.indexOf('#');
        String fragment = mark < 0 ? "" : url.substring(mark);
        String whole = mark < 0 ? url : url.substring(0, mark);
        int query = whole.indexOf('?');
        var ofLettuce = new ArrayList<String>();
        var ours = new LinkedHashMap<String, String>();
        if (query >= 0) {
            for (String parameter : whole.substring(query + 1).split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                if (OF_LETTUCE.contains(name.toLowerCase(Locale.ROOT))) {
                    ofLettuce.add(parameter);
                } else if (known.contains(name)) {
                    ours.put(name, equals < 0 ? "" : parameter.substring(equals + 1));
                } else {
                    throw new IllegalArgumentException(
                            "The URL of the " + subject + " has the parameter '" + name + "', but may have "
                                    + String.join(", ", known.subList(0, known.size() - 1)) + " and " + known.getLast()
                                    + ", and those of Lettuce.");
                }
            }
        }
        return new RedisUrl(
                subject,
                nodes(
                        subject,
                        (query < 0 ? whole : whole.substring(0, query))
                                + (ofLettuce.isEmpty() ? "" : "?" + String.join("&", ofLettuce))
                                + fragment),
                ours);
    }

    /** Returns the addresses of a URL, which are several where nodes of a Cluster are separated by commas. */
    static List<RedisURI> nodes(String subject, String url) {
        try {
            var uri = RedisURI.create(url);
            return uri.getSentinels().isEmpty() && uri.getHost().indexOf(',') >= 0
                    ? Stream.of(uri.getHost().split(","))
                            .map(node -> node(uri, node))
                            .toList()
                    : List.of(uri);
        } catch (IllegalArgumentException e) {
            // Not the text itself: it may hold a password.
            throw new IllegalArgumentException(
                    "The URL of the " + subject
                            + " cannot be read. Write redis://HOST:PORT, rediss://HOST:PORT or"
                            + " redis-sentinel://HOST:PORT#MASTER, with USER:PASSWORD@ in front of the host where needed, and further nodes of a Cluster after a comma.",
                    e);
        }
    }

    /** Returns a copy, the Sentinels and the name of their master included, which Lettuce's own leaves out. */
    static RedisURI copy(RedisURI uri) {
        var copy = RedisURI.builder(uri);
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(copy(sentinel)));
        return copy.build();
    }

    /** Waits no longer than this for a connection to these servers, and for what their Sentinels answer. */
    static void within(List<RedisURI> uris, Duration timeout) {
        for (var uri : uris) {
            uri.setTimeout(timeout);
            within(uri.getSentinels(), timeout);
        }
    }

    /** Returns the address of a node, with everything else as in the URL. */
    private static RedisURI node(RedisURI url, String place) {
        var node = URI.create("redis://" + place);
        return RedisURI.builder(url)
                .withHost(node.getHost())
                .withPort(node.getPort() < 0 ? url.getPort() : node.getPort())
                .build();
    }

    /** Logs in with this password instead of that of the URL; at Sentinels they both apply to the master. An empty user is the server's default one. */
    static void login(List<RedisURI> uris, String user, String password) {
        // Lettuce 6 and 7 have no setter of a password in common.
        var login = new StaticCredentialsProvider(user.isEmpty() ? null : user, password.toCharArray());
        uris.forEach(uri -> uri.setCredentialsProvider(login));
    }

    /** Returns a name that keys can begin with. */
    static String requirePrefix(String name) {
        if (!PREFIX.matcher(name).matches()) {
            throw new IllegalArgumentException("The key prefix '" + name
                    + "' has other characters than letters, digits, '_', '.', ':' and '-', or more than 64 of them.");
        }
        return name;
    }

    boolean has(String name) {
        return parameters.containsKey(name);
    }

    String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    Duration time(String name, Duration otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        var read = TIME.matcher(text(name));
        if (!read.matches()) {
            throw unreadable(name, "a time such as 200ms or 2s");
        }
        long amount = Long.parseLong(read.group(1));
        return switch (read.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    int number(String name, int otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        if (!text(name).matches("\\d{1,4}")) {
            throw unreadable(name, "a number");
        }
        return Integer.parseInt(text(name));
    }

    boolean yes(String name) {
        if (!has(name)) {
            return false;
        }
        if (!text(name).equals("true") && !text(name).equals("false")) {
            throw unreadable(name, "true or false");
        }
        return text(name).equals("true");
    }

    private IllegalArgumentException unreadable(String name, String wanted) {
        return new IllegalArgumentException("The URL of the " + subject + " has '" + name + "=" + text(name) + "', but "
                + name + " is " + wanted + ".");
    }

    /** Shows nothing that may hold a password. */
    @Override
    public String toString() {
        return "RedisUrl[" + subject + "]";
    }
}
