package dev.refrain.console;

import java.util.List;

/** What stands around every page: head, menu, foot. */
public final class Frame {

    static final String ASSETS = "assets/";

    private final List<Section> sections;

    Frame(List<Section> sections) {
        this.sections = List.copyOf(sections);
    }

    /** A page for someone who was let in. */
    ConsoleReply renderSignedIn(Visit visit, Section current, Page page, boolean mayLeave) {
        var leave = mayLeave
                ? visit.form(visit.link("logout"), Html.element("button").content("Sign out"))
                : Html.NOTHING;
        var bar = Html.concat(
                Html.element("nav").with("aria-label", "Sections").content(menu(visit, current)),
                Html.element("div").with("class", "who").content(Html.element("span").content(visit.user()), leave));
        return ConsoleReply.page(page.status(), document(visit.request(), page, bar));
    }

    /** A page for someone who was not. */
    ConsoleReply renderSignedOut(ConsoleRequest request, int status, Page page) {
        return ConsoleReply.page(status, document(request, page, Html.NOTHING));
    }

    private Html menu(Visit visit, Section current) {
        return Html.element("ul")
                .content(sections.stream()
                        .filter(Section::inMenu)
                        .map(section -> {
                            var link = Html.element("a").with("href", visit.link(section.path()));
                            return Html.element("li")
                                    .content((section.equals(current) ? link.with("aria-current", "page") : link)
                                            .content(section.title()));
                        })
                        .toList());
    }

    private static Html document(ConsoleRequest request, Page page, Html bar) {
        String assets = request.mount() + "/" + ASSETS;
        return Html.element("html")
                .with("lang", "en")
                .content(
                        Html.element("head")
                                .content(
                                        Html.element("meta")
                                                .with("charset", "utf-8")
                                                .empty(),
                                        Html.element("meta")
                                                .with("name", "viewport")
                                                .with("content", "width=device-width, initial-scale=1")
                                                .empty(),
                                        Html.element("meta")
                                                .with("name", "color-scheme")
                                                .with("content", "light dark")
                                                .empty(),
                                        Html.element("title").content(page.title() + " · Refrain"),
                                        Html.element("link")
                                                .with("rel", "icon")
                                                .with("href", assets + "icon.svg")
                                                .empty(),
                                        Html.element("link")
                                                .with("rel", "stylesheet")
                                                .with("href", assets + "console.css")
                                                .empty(),
                                        Html.element("script")
                                                .with("src", assets + "console.js")
                                                .with("defer")
                                                .content("")),
                        Html.element("body")
                                .content(
                                        Html.element("a")
                                                .with("class", "skip")
                                                .with("href", "#content")
                                                .content("To the content"),
                                        Html.element("header")
                                                .content(
                                                        Html.element("p")
                                                                .with("class", "brand")
                                                                .content("Refrain"),
                                                        bar),
                                        Html.element("main")
                                                .with("id", "content")
                                                .content(Html.element("h1").content(page.title()), page.content())));
    }
}
