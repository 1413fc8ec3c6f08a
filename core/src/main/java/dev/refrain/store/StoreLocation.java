package dev.refrain.store;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Where a store is and how it is opened, for whoever has only its URL. The modules on the class path say which URLs there are.
 * {@snippet :
 * var store = StoreLocation.of("redis://localhost:6379").login("app", System.getenv("REDIS_PASSWORD")).open();
 * }
 *
 * @param user the user; empty to leave it to the URL
 * @param password the password; empty to leave it to the URL
 * @param schema the schema of the tables, where there are schemas; empty for the default one
 * @param migrate whether tables are created or migrated, where there are tables
 * @param browsed whether what makes browsing quick, such as an index, is created if the store has it
 */
public record StoreLocation(
        String url, Optional<String> user, Optional<String> password, String schema, boolean migrate, boolean browsed) {

    /** Modules that users are told to add. */
    private static final Map<String, String> MODULES = Map.of(
            "dynamodb", "refrain-store-dynamodb",
            "jdbc", "refrain-store-jdbc",
            "redis", "refrain-store-redis",
            "rediss", "refrain-store-redis",
            "redis-sentinel", "refrain-store-redis");

    /** Returns a location that is migrated and not browsed. */
    public static StoreLocation of(String url) {
        return new StoreLocation(url, Optional.empty(), Optional.empty(), "", true, false);
    }

    /** Returns the same with a user and a password; an empty text leaves them to the URL. */
    public StoreLocation login(String name, String secret) {
        return new StoreLocation(url, present(name), present(secret), schema, migrate, browsed);
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(said -> !said.isEmpty());
    }

    public StoreLocation schema(String name) {
        return new StoreLocation(url, user, password, name, migrate, browsed);
    }

    public StoreLocation migrate(boolean allowed) {
        return new StoreLocation(url, user, password, schema, allowed, browsed);
    }

    public StoreLocation browsed(boolean wanted) {
        return new StoreLocation(url, user, password, schema, migrate, wanted);
    }

    /** Returns true if a module on the class path takes this URL. */
    public boolean isKnown() {
        return openers().stream().anyMatch(opener -> opener.accepts(url));
    }

    /** Returns true if the store keeps its records in tables, which opening a migrated location creates. */
    public boolean hasTables() {
        return opener().hasTables();
    }

    /**
     * Opens the store.
     *
     * @throws IllegalArgumentException if no module on the class path takes the URL, with the module to add where it is known
     * @throws StoreException if it cannot be opened
     */
    public Store open() {
        return opener().open(this);
    }

    /**
     * Opens a store here that replays completed outcomes in front of another, which decides everything else. Closing it closes the other one too.
     *
     * @throws IllegalArgumentException if no module on the class path takes the URL, or its kind of store cannot do that
     */
    public Store openBefore(Store store) {
        return opener().openBefore(store, this);
    }

    private StoreOpener opener() {
        return openers().stream()
                .filter(opener -> opener.accepts(url))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(refusal()));
    }

    /** Returns why no module takes the URL, and what to do about it. Shows no more of the URL than its scheme, since the rest may hold a password. */
    public String refusal() {
        String scheme = scheme();
        var examples = openers().stream()
                .flatMap(opener -> Stream.of(opener.examples().split(", ")))
                .sorted()
                .toList();
        String all = String.join(", ", examples);
        String why = "No store takes "
                + (scheme.isEmpty() ? "a URL without a scheme" : "URLs that begin with " + scheme + ":") + ". ";
        String module = MODULES.get(scheme);
        if (module == null || examples.stream().anyMatch(example -> example.startsWith(scheme + ":"))) {
            return (module == null ? why : "No store takes this URL. ") + "Use " + all + ".";
        }
        return why + "Add dev.refrain:" + module + (all.isEmpty() ? "." : ", or use " + all + ".");
    }

    private String scheme() {
        int colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    private static List<StoreOpener> openers() {
        return ServiceLoader.load(StoreOpener.class, StoreOpener.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Returns the location without what may hold a password. */
    @Override
    public String toString() {
        return "StoreLocation[" + scheme() + ":…]";
    }
}
