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

/** The script in a real browser, before a real server: whatever a person does, one order is one order, and its answer is shown. */
@Timeout(300)
class FormInBrowserTest {

    private static Browser browser;
    private FormServer shop;

    @BeforeAll
    static void start(@TempDir Path profile) throws Exception {
        var program = Browser.installed();
        assumeTrue(
                program.isPresent(),
                "There is no Chromium on the PATH to show the form in; -D" + Browser.PROPERTY
                        + " names one elsewhere.");
        browser = new Browser(program.get(), profile);
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser.complaints.clear();
        shop = new FormServer();
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
    void a_double_click_orders_once() throws Exception {
        order("tea", 2);

        browser.awaitText("Order 1: tea");
        browser.screenshot(Path.of("target/form.png"));
        assertThat(shop.orders).containsExactly("tea");
        assertThat(browser.complaints)
                .as("scripts of other origins, inline scripts, errors")
                .isEmpty();
    }

    @Test
    void a_reload_of_the_answer_shows_it_again() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.evaluate("document.body.textContent = ''");
        browser.reload();

        browser.awaitText("Order 1: tea");
        assertThat(shop.asked).as("it was sent again").hasValue(2);
        assertThat(shop.orders).hasSize(1);
    }

    /** A browser keeps the page that is left, scripts and all, or makes it anew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void who_goes_back_and_orders_the_same_again_is_shown_the_same_answer(boolean pageIsKept) {
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
    void who_goes_back_and_orders_something_else_has_ordered_two_things() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.back();
        order("milk");

        browser.awaitText("Order 2: milk");
        assertThat(shop.orders).containsExactly("tea", "milk");
    }

    @Test
    void after_a_lost_answer_a_reload_shows_what_was_done() {
        loseTheAnswerTo("tea");

        browser.reload();

        browser.awaitText("Order 1: tea");
        assertThat(shop.orders).hasSize(1);
    }

    /** However often the browser itself asks for it. */
    private void loseTheAnswerTo(String item) {
        shop.loseAnswers(Integer.MAX_VALUE);
        order(item);
        browser.awaitText("ERR_");
        shop.loseAnswers(0);
    }

    /** On a connection that was open before, a browser takes the loss for an idle server's and asks again by itself. */
    @Test
    void what_the_browser_itself_sends_again_waits_for_the_first_and_shows_what_was_done() {
        shop.loseAnswers(1);

        order("tea");

        browser.awaitText("Order 1: tea");
        assertThat(shop.asked).hasValue(2);
        assertThat(shop.orders).hasSize(1);
    }

    /** What was asked for is not known to be done, so the same again is the same. */
    @Test
    void after_a_lost_answer_a_new_form_for_the_same_shows_what_was_done() {
        loseTheAnswerTo("tea");

        browser.open(shop.page("/"));
        order("tea");

        browser.awaitText("Order 1: tea");
        assertThat(shop.orders).hasSize(1);
    }

    @Test
    void a_new_form_after_the_answer_is_a_new_order() {
        order("tea");
        browser.awaitText("Order 1: tea");

        browser.click("a", 1);
        browser.awaitPage(shop.page("/"));
        order("tea");

        browser.awaitText("Order 2: tea");
        assertThat(shop.orders).containsExactly("tea", "tea");
        assertThat(shop.keys).hasSize(2);
    }

    /** The answer may take the place of the form in the browser's history. */
    @Test
    void a_form_beside_its_own_answer_is_a_new_one() {
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
