package dev.refrain.console;
/** Part of the console: an entry of the menu and the pages below it. Implementations must be thread-safe. */
public interface ConsoleSection {

    /** First path segment, for example {@code keys}; empty for the front page. */
    String path();

    /** Label in the menu. */
    String title();

    /** Returns whether the section appears in the menu, or is reached by links only. */
    default boolean inMenu() {
        return true;
    }

    /** Handles a GET of the section's path or of a path below it. */
    ConsolePage get(AuthenticatedRequest visit);

    /**
     * Handles a form that a signed-in user submitted from one of the section's pages.
     *
     * @return the page to show, or a redirect
     */
    default ConsolePage post(AuthenticatedRequest visit) {
        return ConsolePage.notFound();
    }
}
