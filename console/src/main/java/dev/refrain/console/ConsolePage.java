package dev.refrain.console;

import java.util.Optional;

/**
 * What a section answers.
 *
 * @param redirectTo where the visitor is sent instead, below the console; then nothing else matters
 * @param isFragment whether it is shown without the menu around it, as a part of a page that is there
 */
public record ConsolePage(int status, String title, SafeHtml content, Optional<String> redirectTo, boolean isFragment) {

    public static ConsolePage of(String title, SafeHtml... content) {
        return new ConsolePage(200, title, SafeHtml.concat(content), Optional.empty(), false);
    }

    /** A part of a page, asked for by its script. */
    public static ConsolePage fragment(SafeHtml content) {
        return new ConsolePage(200, "", content, Optional.empty(), true);
    }

    public static ConsolePage redirect(String place) {
        return new ConsolePage(303, "", SafeHtml.NOTHING, Optional.of(place), false);
    }

    public static ConsolePage notFound() {
        return message(404, "There is nothing here", "What you look for is not here, or not any more.");
    }

    static ConsolePage reasonMissing() {
        return message(400, "Not done", "It is audited, so say why.");
    }

    static ConsolePage conflict() {
        return message(409, "Not done", "The record has moved on since you looked at it: nothing was done.");
    }

    /** One sentence, for what did not go as asked. */
    public static ConsolePage message(int status, String title, String sentence) {
        return new ConsolePage(
                status,
                title,
                SafeHtml.element("p")
                        .with("class", "told")
                        .with("role", "alert")
                        .content(sentence),
                Optional.empty(),
                false);
    }
}
