package dev.refrain.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.http.client.Browser;
import dev.refrain.store.State;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person's way through the console in a real browser. What was seen is in {@code target/screens}. */
@Timeout(300)
class ConsoleInBrowserTest {

    private static final Path SCREENS = Path.of("target/screens");

    @Test
    void aPersonFindsWhatWaitsAndDecidesIt(@TempDir Path directory, @TempDir Path profile) throws Exception {
        var program = Browser.installed();
        assumeTrue(
                program.isPresent(),
                "There is no Chromium on the PATH to show the console in; -D" + Browser.PROPERTY
                        + " names one elsewhere.");
        Files.createDirectories(SCREENS);
        try (var scene = new Scene(directory);
                var browser = new Browser(program.get(), profile)) {
            fill(scene);
            walk(scene, browser);
            assertThat(browser.complaints)
                    .as("scripts of other origins, inline scripts and styles, errors")
                    .filteredOn(complaint -> !complaint.contains("401"))
                    .isEmpty();
        }
    }

    private static void fill(Scene scene) {
        for (int i = 0; i < 40; i++) {
            scene.paid("acme", "order-" + i, "10");
            for (int again = 0; again < i % 4; again++) {
                scene.paid("acme", "order-" + i, "10");
            }
        }
        scene.mismatched("acme", "order-1", "11");
        scene.open("globex", "refund-7");
        scene.conflicted("globex", "refund-7");
        scene.unknown("acme", "order-unknown");
        scene.unknown("globex", "<script>alert(document.domain)</script>");
    }

    private static void walk(Scene scene, Browser browser) throws Exception {
        browser.show(1200, 860, false);
        browser.open(scene.at("/"));
        browser.screenshot(SCREENS.resolve("login.png"));
        browser.type("[name=name]", "ann");
        browser.type("[name=password]", Scene.PASSWORD);
        browser.click("main button", 1);
        browser.awaitText("Oldest in progress");
        browser.screenshot(SCREENS.resolve("now.png"));

        scene.paid("acme", "while-you-look", "10");
        browser.awaitText("42 ran for the first time since the start");

        browser.open(scene.at("/keys"));
        browser.screenshot(SCREENS.resolve("keys.png"));
        browser.open(scene.at(Visitor.key("", "acme", "order-39")));
        browser.awaitText("replayed, 3 times");
        browser.screenshot(SCREENS.resolve("key.png"));
        browser.click("summary", 1);
        browser.type("[name=reason]", "ticket 7");
        browser.click("details button", 1);
        browser.awaitText("\\\"paid\\\"");

        browser.open(scene.at("/attention"));
        browser.screenshot(SCREENS.resolve("attention.png"));
        browser.open(scene.at(Visitor.key("", "acme", "order-unknown")));
        browser.screenshot(SCREENS.resolve("decide.png"));
        browser.type("#release-reason", "the bank has no such payment");
        browser.click(".acts form:first-child button", 1);
        browser.awaitText("resolve: released by ann: the bank has no such payment");
        assertThat(scene.stored("acme", "order-unknown").orElseThrow().state()).isEqualTo(State.RELEASED);

        browser.show(390, 800, true);
        for (String path : new String[] {"/", "/keys", "/attention", Visitor.key("", "acme", "order-39")}) {
            browser.open(scene.at(path));
            browser.evaluate("document.querySelector('table, .timeline')?.scrollIntoView()");
            browser.screenshot(SCREENS.resolve("narrow" + path.replaceAll("[^a-z]", "") + ".png"));
            assertThat(browser.evaluate("String(document.documentElement.scrollWidth <= innerWidth)"))
                    .as("nothing is wider than a narrow screen: " + path)
                    .isEqualTo("true");
        }
    }
}
