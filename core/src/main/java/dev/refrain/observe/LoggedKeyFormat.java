package dev.refrain.observe;

/** How the log shows the keys of requests whose outcome is unknown. Some clients make keys of data that a log must not hold. */
public enum LoggedKeyFormat {
    /** Shows the beginning of a key, enough to tell one from another. */
    SHORTENED,
    /** Shows whole keys. */
    FULL,
    /** Shows no keys; the record's id leads to them. */
    OFF;

    private static final int SHOWN = 4;
    private static final int TOO_SHORT = 8;

    /** Returns the part of a log line that names the key; empty if keys are not shown. */
    public String show(String key) {
        return switch (this) {
            case FULL -> ", key " + key;
            case SHORTENED -> ", key " + (key.length() <= TOO_SHORT ? "" : key.substring(0, SHOWN)) + "…";
            case OFF -> "";
        };
    }
}
