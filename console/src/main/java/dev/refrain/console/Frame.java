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
    ConsoleReply inside(Visit visit, Section current, Page page, boolean mayLeave) {
        var leave = mayLeave
                ? visit.form(visit.link("logout"), Html.element("button").of("Sign out"))
                : Html.NOTHING;
        var bar = Html.all(
                Html.element("nav").with("aria-label", "Sections").of(menu(visit, current)),
                Html.element("div").with("class", "who").of(Html.element("span").of(visit.who()), leave));
        return ConsoleReply.page(page.status(), document(visit.request(), page, bar));
    }

    /** A page for someone who was not. */
    ConsoleReply outside(ConsoleRequest request, int status, Page page) {
        return ConsoleReply.page(status, document(request, page, Html.NOTHING));
    }

    private Html menu(Visit visit, Section current) {
        return Html.element("ul")
                .of(sections.stream()
                        .filter(Section::inMenu)
                        .map(section -> {
                            var link = Html.element("a").with("href", visit.link(section.name()));
                            return Html.element("li")
                                    .of((section.equals(current) ? link.with("aria-current", "page") : link)
                                            .of(section.title()));
                        })
                        .toList());
    }

    private static Html document(ConsoleRequest request, Page page, Html bar) {
        String assets = request.mount() + "/" + ASSETS;
        return Html.element("html")
                .with("lang", "en")
                .of(
                        Html.element("head")
                                .of(
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
                                        Html.element("title").of(page.title() + " · Refrain"),
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
                                                .of("")),
                        Html.element("body")
                                .of(
                                        Html.element("a")
                                                .with("class", "skip")
                                                .with("href", "#content")
                                                .of("To the content"),
                                        Html.element("header")
                                                .of(
                                                        Html.element("p")
                                                                .with("class", "brand")
                                                                .of("Refrain"),
                                                        bar),
                                        Html.element("main")
                                                .with("id", "content")
                                                .of(Html.element("h1").of(page.title()), page.content())));
    }
}
