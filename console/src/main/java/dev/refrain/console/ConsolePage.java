package dev.refrain.console;

import java.util.Optional;

/**
 * Page that a section returns.
 *
 * @param redirectTo the path below the console to redirect to; if present, the rest is ignored
 * @param isFragment whether the content is sent without the layout, to update part of a page
 */
public record ConsolePage(int status, String title, SafeHtml content, Optional<String> redirectTo, boolean isFragment) {

    public static ConsolePage of(String title, SafeHtml... content) {
        return new ConsolePage(200, title, SafeHtml.concat(content), Optional.empty(), false);
    }

    /** Creates a fragment for the script of a page. */
    public static ConsolePage fragment(SafeHtml content) {
        return new ConsolePage(200, "", content, Optional.empty(), true);
    }

    public static ConsolePage redirect(String place) {
        return new ConsolePage(303, "", SafeHtml.NOTHING, Optional.of(place), false);
    }

    public static ConsolePage notFound() {
        return message(404, "Not found", "This page does not exist, or what it showed is gone.");
    }

    static ConsolePage reasonMissing() {
        return message(400, "Nothing was done", "A reason is required for the audit trail. Go back and enter one.");
    }

    static ConsolePage conflict() {
        return message(
                409,
                "Nothing was done",
                "The record changed after you opened the page. Open it again and decide on its current state.");
    }

    /** Creates a page with one sentence, for a request that failed. */
    public static ConsolePage message(int status, String title, String sentence) {
        return new ConsolePage(
                status,
                title,
                SafeHtml.element("p")
                        .with("class", "notice")
                        .with("role", "alert")
                        .content(sentence),
                Optional.empty(),
                false);
    }
}
