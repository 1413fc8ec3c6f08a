package dev.refrain.console;

import java.util.List;

/** Layout around every page: head, menu, content. Immutable. */
public final class ConsoleLayout {

    static final String ASSETS = "assets/";

    private final List<ConsoleSection> sections;

    ConsoleLayout(List<ConsoleSection> sections) {
        this.sections = List.copyOf(sections);
    }

    /** Renders a page for a signed-in user. */
    ConsoleReply renderSignedIn(
            AuthenticatedRequest visit, ConsoleSection current, ConsolePage page, boolean canSignOut) {
        var signOut = canSignOut
                ? visit.form(visit.link("logout"), SafeHtml.element("button").content("Sign out"))
                : SafeHtml.NOTHING;
        var bar = SafeHtml.concat(
                SafeHtml.element("nav").with("aria-label", "Sections").content(menu(visit, current)),
                SafeHtml.element("div")
                        .with("class", "who")
                        .content(SafeHtml.element("span").content(visit.user()), signOut));
        return ConsoleReply.page(page.status(), document(visit.request(), page, bar));
    }

    /** Renders a page without a menu, for requests that are not signed in. */
    ConsoleReply renderSignedOut(ConsoleRequest request, int status, ConsolePage page) {
        return ConsoleReply.page(status, document(request, page, SafeHtml.NOTHING));
    }

    private SafeHtml menu(AuthenticatedRequest visit, ConsoleSection current) {
        return SafeHtml.element("ul")
                .content(sections.stream()
                        .filter(ConsoleSection::inMenu)
                        .map(section -> {
                            var link = SafeHtml.element("a").with("href", visit.link(section.path()));
                            return SafeHtml.element("li")
                                    .content((section.equals(current) ? link.with("aria-current", "page") : link)
                                            .content(section.title()));
                        })
                        .toList());
    }

    private static SafeHtml document(ConsoleRequest request, ConsolePage page, SafeHtml bar) {
        String assets = request.mount() + "/" + ASSETS;
        return SafeHtml.element("html")
                .with("lang", "en")
                .content(
                        SafeHtml.element("head")
                                .content(
                                        SafeHtml.element("meta")
                                                .with("charset", "utf-8")
                                                .empty(),
                                        SafeHtml.element("meta")
                                                .with("name", "viewport")
                                                .with("content", "width=device-width, initial-scale=1")
                                                .empty(),
                                        SafeHtml.element("meta")
                                                .with("name", "color-scheme")
                                                .with("content", "light dark")
                                                .empty(),
                                        SafeHtml.element("title").content(page.title() + " · Refrain"),
                                        SafeHtml.element("link")
                                                .with("rel", "icon")
                                                .with("href", assets + "icon.svg")
                                                .empty(),
                                        SafeHtml.element("link")
                                                .with("rel", "stylesheet")
                                                .with("href", assets + "console.css")
                                                .empty(),
                                        SafeHtml.element("script")
                                                .with("src", assets + "console.js")
                                                .with("defer")
                                                .content("")),
                        SafeHtml.element("body")
                                .content(
                                        SafeHtml.element("a")
                                                .with("class", "skip")
                                                .with("href", "#content")
                                                .content("Skip to content"),
                                        SafeHtml.element("header")
                                                .content(
                                                        SafeHtml.element("p")
                                                                .with("class", "brand")
                                                                .content("Refrain"),
                                                        bar),
                                        SafeHtml.element("main")
                                                .with("id", "content")
                                                .content(
                                                        SafeHtml.element("h1").content(page.title()), page.content())));
    }
}
