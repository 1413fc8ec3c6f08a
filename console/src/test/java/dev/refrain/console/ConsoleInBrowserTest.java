package dev.refrain.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.api.ScopedKey;
import dev.refrain.http.client.HeadlessBrowser;
import dev.refrain.http.client.PageAccessibilityChecks;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordState;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Console in a real browser: buttons, contrast, narrow screens, keyboard. Screenshots are in {@code target/screens}. */
@Timeout(300)
class ConsoleInBrowserTest {

    private static final Path SCREENS = Path.of("target/screens");
    private static final String HOSTILE = "<script>alert(document.domain)</script>";

    @TempDir
    Path directory;

    @TempDir
    Path profile;

    private ConsoleFixture scene;
    private HeadlessBrowser browser;
    private UUID again;
    private UUID gone;

    /** Paths of the pages by the names of their screenshots. */
    private final Map<String, String> pages = new LinkedHashMap<>();

    @BeforeEach
    void open() throws Exception {
        assumeTrue(HeadlessBrowser.isInstalled(), HeadlessBrowser.MISSING);
        Files.createDirectories(SCREENS);
        scene = new ConsoleFixture(directory);
        fill();
        browser = new HeadlessBrowser(profile);
    }

    @AfterEach
    void close() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (scene != null) {
            scene.close();
        }
    }

    private void fill() {
        for (int i = 0; i < 60; i++) {
            scene.paid("acme", "order-" + i, "10");
            for (int more = 0; more < i % 4; more++) {
                scene.paid("acme", "order-" + i, "10");
            }
        }
        scene.mismatched("acme", "order-1", "11");
        scene.open("globex", "refund-7");
        scene.conflicted("globex", "refund-7");
        scene.unknown("acme", "order-unknown");
        scene.unknown("globex", HOSTILE);
        scene.backroom.deliver("news", 12, scene.live);
        for (int i = 0; i < 3; i++) {
            scene.backroom.staged("receipts", "{\"order\":" + i + "}");
        }
        scene.backroom.staged("webhooks", "{\"event\":\"paid\"}");
        scene.backroom.failing("webhooks", "IOException: It was answered with 503.");
        again = scene.backroom.dead("webhooks", "{\"event\":\"refunded\"}", Cause.UNKNOWN, "no answer came");
        gone = scene.backroom.dead("mails", "{\"to\":\"ann\"}", Cause.REFUSED, "410 " + HOSTILE);
        scene.backroom.order("o-1", "fine");
        scene.backroom.order("o-2", "later");
        scene.backroom.order("o-3", "refused");
        scene.backroom.order("o-4", "stuck");
        scene.backroom.order("o-5", "stuck");

        pages.put("now", "/");
        pages.put("keys", "/keys");
        pages.put("key", SimpleBrowser.key("", "acme", "order-39"));
        pages.put("attention", "/attention");
        pages.put("decide", SimpleBrowser.key("", "acme", "order-unknown"));
        pages.put("outbox", "/outbox");
        pages.put("deadletters", "/deadletters");
        pages.put("deadletter", "/deadletters/letter?id=" + again);
        pages.put("sagas", "/sagas");
        pages.put("saga", saga("o-4"));
        pages.put("phases", "/key?scope=&namespace=order.place&key=o-3");
        pages.put("trail", "/trail");
        pages.put("contract", "/contract");
        pages.put("nothing", "/nowhere");
    }

    private static String saga(String id) {
        return "/sagas/saga?saga=order.place&scope=&id=" + id;
    }

    private void enter() {
        browser.open(scene.at("/"));
        browser.type("[name=name]", "ann");
        browser.type("[name=password]", ConsoleFixture.PASSWORD);
        browser.click("main button", 1);
        browser.awaitText("Oldest in progress");
    }

    @Test
    void eachButtonWorks() throws Exception {
        browser.show(1200, 860, false);
        enter();
        var buttons = new TreeSet<String>();
        for (var page : pages.values()) {
            browser.open(scene.at(page));
            buttons.addAll(buttons());
        }
        assertThat(buttons)
                .as("each is pressed below")
                .isEqualTo(Set.of(
                        "Abandon",
                        "Discard",
                        "Next page",
                        "Release",
                        "Resend",
                        "Resolve",
                        "Retry",
                        "Reveal",
                        "Search",
                        "Sign out"));

        browser.open(scene.at("/"));
        scene.paid("acme", "while-you-look", "10");
        browser.awaitText("67 ran for the first time since startup");

        browser.open(scene.at("/keys"));
        browser.click("a.button", 1);
        browser.awaitText("order-0");
        browser.type("[name=key]", "order-39");
        browser.click(".search button", 1);
        awaitRows(1);

        browser.open(scene.at(pages.get("key")));
        browser.awaitText("replayed, 3 times");
        browser.click("summary", 1);
        browser.type("[name=reason]", "ticket 7");
        browser.click("details button", 1);
        browser.awaitText("\\\"paid\\\"");

        browser.open(scene.at(pages.get("decide")));
        browser.type("#release-reason", "the bank has no such payment");
        browser.click(".acts form:first-child button", 1);
        browser.awaitText("resolve: released by ann: the bank has no such payment");
        assertThat(scene.stored("acme", "order-unknown").orElseThrow().state()).isEqualTo(RecordState.RELEASED);

        browser.open(scene.at(SimpleBrowser.key("", "globex", HOSTILE)));
        browser.type("[name=status]", "201");
        browser.type("#resolve-reason", "the bank has it");
        browser.click(".acts form:last-child button", 1);
        browser.awaitText("resolve: completed by ann: the bank has it");
        assertThat(scene.stored("globex", HOSTILE).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);

        decideOnDeadLettersAndSagas();
        browser.open(scene.at("/"));
        browser.click("header button", 1);
        browser.awaitText("Your name (for the audit trail)");
        assertThat(browser.complaints())
                .as("scripts of other origins, inline scripts and styles, errors")
                .filteredOn(complaint -> !complaint.contains("401") && !complaint.contains("404"))
                .isEmpty();
    }

    /** Waits for the number of rows in the last table on the page. */
    private void awaitRows(int rows) {
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions() // there is no table while a page loads
                .until(() -> browser.evaluate(
                                "String([...document.querySelectorAll('table')].at(-1).tBodies[0].rows.length)")
                        .equals(Integer.toString(rows)));
    }

    private void decideOnDeadLettersAndSagas() {
        var letters = scene.store.outboxBrowser();
        browser.open(scene.at("/outbox"));
        browser.type("[name=topic]", "receipts");
        browser.click(".search button", 1);
        awaitRows(3);

        browser.open(scene.at("/deadletters/letter?id=" + again));
        browser.click("summary", 1);
        browser.type("#reveal-reason", "ticket 8");
        browser.click("details button", 1);
        browser.awaitText("\"event\":\"refunded\"");
        browser.type("#resend-reason", "they never got it");
        browser.click(".acts form:first-child button", 1);
        browser.awaitText("These messages are no longer sent");
        assertThat(letters.findDeadLetter(again)).isEmpty();
        assertThat(letters.searchWaiting(new WaitingMessageSearch(Optional.of("webhooks"), false, Optional.empty(), 9))
                        .rows())
                .extracting(WaitingMessage::id)
                .contains(again);
        browser.open(scene.at("/deadletters/letter?id=" + gone));
        browser.type("#discard-reason", "ann has left");
        browser.click(".acts form:last-child button", 1);
        browser.awaitText("No matches.");
        assertThat(letters.findDeadLetter(gone)).isEmpty();

        browser.open(scene.at(saga("o-4")));
        browser.type("#retry-reason", "there is a new shelf");
        browser.click(".acts form:first-child button", 1);
        browser.awaitText("RELEASED");
        browser.open(scene.at(saga("o-5")));
        browser.type("#give-up-reason", "the shelf is lost");
        browser.click(".acts form:last-child button", 1);
        browser.awaitText("compensated");
        assertThat(sagaState("o-4")).isEqualTo(RecordState.RELEASED);
        assertThat(sagaState("o-5")).isEqualTo(RecordState.COMPLETED);
        assertThat(scene.store.listAuditTrail(4))
                .extracting(AuditEntry::why)
                .containsExactly("the shelf is lost", "there is a new shelf", "ann has left", "they never got it");
    }

    private RecordState sagaState(String id) {
        return scene.store
                .find(List.of(new ScopedKey("", "order.place", id)))
                .getFirst()
                .orElseThrow()
                .state();
    }

    private List<String> buttons() {
        return Arrays.stream(browser.evaluate(
                                "[...document.querySelectorAll('button, a.button')].map(b => b.textContent).join('\\n')")
                        .split("\n"))
                .filter(label -> !label.isEmpty())
                .toList();
    }

    @Test
    void everyPageHasContrastFitsANarrowScreenAndIsReachableByKeyboard() throws Exception {
        browser.show(1200, 860, false);
        browser.open(scene.at("/login"));
        checkPage("login");
        enter();
        for (var page : pages.entrySet()) {
            browser.open(scene.at(page.getValue()));
            checkPage(page.getKey());
        }
    }

    /** Checks a page wide and light, then narrow and dark. */
    private void checkPage(String page) throws Exception {
        browser.show(1200, 860, false);
        int whole = Integer.parseInt(browser.evaluate("String(document.documentElement.scrollHeight)"));
        browser.show(1200, Math.min(whole, 1400), false);
        browser.screenshot(SCREENS.resolve(page + ".png"));
        assertThat(PageAccessibilityChecks.poorContrast(browser))
                .as("poor contrast, light: " + page)
                .isEmpty();
        assertThat(PageAccessibilityChecks.unreachable(browser))
                .as("keyboard: " + page)
                .isEmpty();
        browser.show(360, 740, true);
        browser.screenshot(SCREENS.resolve("narrow-" + page + ".png"));
        assertThat(PageAccessibilityChecks.poorContrast(browser))
                .as("poor contrast, dark: " + page)
                .isEmpty();
        assertThat(PageAccessibilityChecks.fits(browser))
                .as("nothing is wider than a narrow screen: " + page)
                .isTrue();
    }

    @Test
    void deadLetterIsResentByKeyboardAlone() {
        browser.show(1200, 860, false);
        browser.open(scene.at("/"));
        PageAccessibilityChecks.tabTo(browser, "[name=name]");
        browser.write("ann");
        PageAccessibilityChecks.tabTo(browser, "[name=password]");
        browser.write(ConsoleFixture.PASSWORD);
        browser.press(Keys.ENTER);
        browser.awaitText("Oldest in progress");
        PageAccessibilityChecks.tabTo(browser, "nav a[href=\"/deadletters\"]");
        browser.press(Keys.ENTER);
        browser.awaitText("no answer came");
        PageAccessibilityChecks.tabTo(browser, "a[href*=\"" + again + "\"]");
        browser.press(Keys.ENTER);
        browser.awaitText("Idempotency key");
        PageAccessibilityChecks.tabTo(browser, "#resend-reason");
        browser.write("by the keyboard");
        PageAccessibilityChecks.tabTo(browser, "button");
        browser.press(Keys.ENTER);
        browser.awaitText("These messages are no longer sent");
        assertThat(scene.store.outboxBrowser().findDeadLetter(again)).isEmpty();
        assertThat(scene.store.listAuditTrail(1)).extracting(AuditEntry::why).containsExactly("by the keyboard");
    }
}
