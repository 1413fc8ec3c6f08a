package dev.refrain.spring;

import dev.refrain.api.RefrainException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Signals that the application cannot start, because something would run unprotected or otherwise than configured. Spring Boot
 * reports the description and the action instead of a stack trace. Code that makes an operation later gets it too, if the namespace has
 * another store.
 */
public final class RefrainStartException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private static final String CORRECT_IT =
            "Correct what is named above. docs/http.md lists all settings with their values.";

    private final String description;
    private final String action;

    /**
     * @param description what is wrong, in whole sentences
     * @param action what to do about it, in whole sentences
     */
    public RefrainStartException(String description, String action) {
        this(description, action, null);
    }

    public RefrainStartException(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    public String description() {
        return description;
    }

    public String action() {
        return action;
    }

    /** Runs a part of the start and explains a rejected setting, whose message names it and its values. */
    public static <T> T explain(Supplier<T> start) {
        return explain("", start);
    }

    /**
     * Runs a part of the start and explains a rejected setting.
     *
     * @param place path of the settings that the part is made from; the message is about them
     */
    static <T> T explain(String place, Supplier<T> start) {
        try {
            return start.get();
        } catch (IllegalArgumentException | IllegalStateException rejected) {
            throw new RefrainStartException(
                    (place.isEmpty() ? "" : place + ": ") + rejected.getMessage(), CORRECT_IT, rejected);
        }
    }
}
