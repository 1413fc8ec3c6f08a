package dev.refrain.store;

/**
 * Opens stores of one kind by URL, for tools and settings that name a store so. Found by {@link java.util.ServiceLoader}: the implementation is a
 * public class with a public constructor without parameters, named in {@code META-INF/services/dev.refrain.store.StoreOpener} of its jar.
 *
 * <p>Thread-safe.
 */
public interface StoreOpener {

    /** Returns true if the URL, by what it begins with, is of this kind of store. */
    boolean accepts(String url);

    /** Returns URLs of this kind for messages, such as {@code redis://HOST:PORT}, separated by commas. */
    String examples();

    /** Returns true if stores of this kind keep their records in tables, which opening a {@linkplain StoreLocation#migrate migrated} location creates. */
    default boolean hasTables() {
        return false;
    }

    /**
     * Opens the store.
     *
     * @throws StoreException if it cannot be opened; the message says what to do, and shows no password
     * @throws IllegalArgumentException if the URL cannot be read, or the location has a setting that this kind of store lacks
     */
    Store open(StoreLocation location);

    /**
     * Opens a store that replays completed outcomes in front of another, which decides everything else. Closing it closes the other one too.
     *
     * @throws IllegalArgumentException if this kind of store cannot, or the URL cannot be read
     */
    default Store openBefore(Store store, StoreLocation location) {
        throw new IllegalArgumentException("A store of this kind (" + examples()
                + ") cannot replay outcomes in front of another. Use redis://HOST:PORT?key-prefix=NAME.");
    }
}
