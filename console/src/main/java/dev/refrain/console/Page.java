package dev.refrain.console;

import java.util.Optional;

/**
 * What a section answers.
 *
 * @param redirectTo where the visitor is sent instead, below the console; then nothing else matters
 * @param isFragment whether it is shown without the menu around it, as a part of a page that is there
 */
public record Page(int status, String title, Html content, Optional<String> redirectTo, boolean isFragment) {

    public static Page of(String title, Html... content) {
        return new Page(200, title, Html.concat(content), Optional.empty(), false);
    }

    /** A part of a page, asked for by its script. */
    public static Page fragment(Html content) {
        return new Page(200, "", content, Optional.empty(), true);
    }

    public static Page redirect(String place) {
        return new Page(303, "", Html.NOTHING, Optional.of(place), false);
    }

    public static Page notFound() {
        return message(404, "There is nothing here", "What you look for is not here, or not any more.");
    }

    static Page reasonMissing() {
        return message(400, "Not done", "It is audited, so say why.");
    }

    static Page conflict() {
        return message(409, "Not done", "The record has moved on since you looked at it: nothing was done.");
    }

    /** One sentence, for what did not go as asked. */
    public static Page message(int status, String title, String sentence) {
        return new Page(
                status,
                title,
                Html.element("p").with("class", "told").with("role", "alert").content(sentence),
                Optional.empty(),
                false);
    }
}
