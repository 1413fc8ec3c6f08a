package dev.refrain.console;
/** One part of the console: a place in the menu and the pages below it. Safe for use by many threads. */
public interface ConsoleSection {

    /** Its first path segment, such as {@code keys}; empty for the front page. */
    String path();

    /** As the menu calls it. */
    String title();

    /** Whether it stands in the menu, or is reached by links alone. */
    default boolean inMenu() {
        return true;
    }

    /** @param visit a GET of its path or of something below it */
    ConsolePage get(AuthenticatedRequest visit);

    /**
     * A form that was sent by someone whom the console has let in, from its own page.
     *
     * @return where the visitor is sent, or what is shown
     */
    default ConsolePage post(AuthenticatedRequest visit) {
        return ConsolePage.notFound();
    }
}
