package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form script in a real browser with a real server: each order takes effect once and its result is shown. */
@Timeout(300)
class FormScriptBrowserTest {

    private static HeadlessBrowser browser;
    private FormTestServer shop;

    @BeforeAll
    static void start(@TempDir Path profile) throws Exception {
        assumeTrue(HeadlessBrowser.isInstalled(), HeadlessBrowser.MISSING);
        browser = new HeadlessBrowser(profile);
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser.forgetComplaints();
        shop = new FormTestServer();
        browser.open(shop.page("/"));
    }

    @AfterEach
    void close() throws Exception {
        shop.close();
    }

    private void order(String item) {
        order(item, 1);
    }

    private void order(String item, int clicks) {
        browser.type("[name=item]", item);
        browser.click("button", clicks);
    }

    @Test
    void doubleClickOrdersOnce() throws Exception {
        order("tea", 2);

        browser.awaitText("Order 1: tea");
        browser.screenshot(Path.of("target/form.png"));
        assertThat(shop.orders).containsExactly("tea");
        assertThat(browser.complaints())
                .as("scripts of other origins, inline scripts, errors")
                .isEmpty();
    }

    @Test
    void reloadOfTheResultShowsItAgain() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.evaluate("document.body.textContent = ''");
        browser.reload();

        browser.awaitText("Order 1: tea");
        assertThat(shop.asked).as("it was sent again").hasValue(2);
        assertThat(shop.orders).hasSize(1);
    }

    /** A browser may keep the page in its back/forward cache, or reload it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sameOrderAfterGoingBackShowsTheSameResult(boolean pageIsKept) {
        order("tea", pageIsKept);
        browser.awaitText("Order 1: tea");

        for (int time = 2; time <= 3; time++) {
            browser.back();
            assertThat(browser.evaluate("!!window.left")).isEqualTo(Boolean.toString(pageIsKept));
            order("tea", pageIsKept);
            browser.awaitText("Order 1: tea");
            await().untilAtomic(shop.asked, is(time));
        }
        assertThat(shop.orders).hasSize(1);
    }

    private void order(String item, boolean pageIsKept) {
        browser.evaluate("window.left = true");
        if (!pageIsKept) {
            browser.evaluate("addEventListener('unload', () => {})");
        }
        order(item);
    }

    @Test
    void differentOrderAfterGoingBackIsANewOrder() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.back();
        order("milk");

        browser.awaitText("Order 2: milk");
        assertThat(shop.orders).containsExactly("tea", "milk");
    }

    @Test
    void reloadAfterLostResponseShowsTheResult() {
        loseResponseTo("tea");

        browser.reload();

        browser.awaitText("Order 1: tea");
        assertThat(shop.orders).hasSize(1);
    }

    /** Loses the response however often the browser resends the request. */
    private void loseResponseTo(String item) {
        shop.loseResponses(Integer.MAX_VALUE);
        order(item);
        browser.awaitText("ERR_");
        shop.loseResponses(0);
    }

    /** On a reused connection, a browser takes the loss for an idle timeout and resends by itself. */
    @Test
    void automaticResendOfTheBrowserWaitsForTheFirstRequest() {
        shop.loseResponses(1);

        order("tea");

        browser.awaitText("Order 1: tea");
        assertThat(shop.asked).hasValue(2);
        assertThat(shop.orders).hasSize(1);
    }

    /** The order is not known to be done, so the same content keeps its key. */
    @Test
    void newFormAfterLostResponseShowsTheResult() {
        loseResponseTo("tea");

        browser.open(shop.page("/"));
        order("tea");

        browser.awaitText("Order 1: tea");
        assertThat(shop.orders).hasSize(1);
    }

    @Test
    void newFormAfterTheResultIsANewOrder() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.click("a", 1);
        browser.awaitPage(shop.page("/"));
        order("tea");

        browser.awaitText("Order 2: tea");
        assertThat(shop.orders).containsExactly("tea", "tea");
        assertThat(shop.keys).hasSize(2);
    }

    /** The result page may replace the form in the browser's history. */
    @Test
    void formNextToItsResultIsANewOrder() {
        browser.open(shop.page("/orders"));
        order("tea");
        browser.awaitText("Order 1: tea");

        order("tea");

        browser.awaitText("Order 2: tea");
        browser.evaluate("document.body.textContent = ''");
        browser.reload();
        browser.awaitText("Order 2: tea");
        assertThat(shop.orders).hasSize(2);
    }
}
