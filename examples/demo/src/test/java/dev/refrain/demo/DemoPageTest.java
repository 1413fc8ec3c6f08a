package dev.refrain.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.http.client.HeadlessBrowser;
import dev.refrain.http.client.PageAccessibilityChecks;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DemoPageTest {

    private static final Path SCREENS = Path.of("target/screens");

    @TempDir
    private Path folder;

    @Test
    void eachButtonRunsItsScenario(@TempDir Path profile) throws Exception {
        assumeTrue(HeadlessBrowser.isInstalled(), HeadlessBrowser.MISSING);
        Files.createDirectories(SCREENS);
        try (var page = DemoPage.start(folder, 0);
                var browser = new HeadlessBrowser(profile)) {
            browser.show(1200, 900, false);
            browser.open(page.address());
            for (var scenario : DemoScenario.values()) {
                browser.click("button[data-scenario=" + scenario + "]", 1);
                browser.awaitText("Done: " + scenario.title() + ".");
                assertThat(browser.evaluate("document.querySelector('.side .verdict').textContent"))
                        .isEqualTo("Charged once, with a receipt.");
                assertThat(browser.evaluate("document.querySelectorAll('.side .verdict')[1].className"))
                        .isEqualTo("verdict bad");
                browser.screenshot(SCREENS.resolve(scenario + ".png"));
            }
            assertThat(PageAccessibilityChecks.poorContrast(browser))
                    .as("poor contrast, light")
                    .isEmpty();
            assertThat(PageAccessibilityChecks.unreachable(browser))
                    .as("keyboard")
                    .isEmpty();
            browser.show(360, 740, true);
            assertThat(PageAccessibilityChecks.poorContrast(browser))
                    .as("poor contrast, dark")
                    .isEmpty();
            assertThat(PageAccessibilityChecks.fits(browser))
                    .as("nothing is wider than a narrow screen")
                    .isTrue();
            browser.open(landing(browser.evaluate("document.querySelector('.side a').href")));
            browser.awaitText("first claimed");
            assertThat(browser.complaints())
                    .as("inline scripts and styles, errors")
                    .filteredOn(complaint -> !complaint.contains("404"))
                    .isEmpty();
        }
    }

    /** Follows redirects and returns the final URL. */
    private static URI landing(String link) throws Exception {
        try (var http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            return get(http, URI.create(link)).uri();
        }
    }

    @Test
    void onlyThePageItselfMayRunScenarios() throws Exception {
        try (var page = DemoPage.start(folder, 0);
                var http = HttpClient.newHttpClient()) {
            var shown = get(http, page.address());
            assertThat(shown.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'")
                    .doesNotContain("unsafe");
            for (var scenario : DemoScenario.values()) {
                assertThat(shown.body()).contains("data-scenario=\"" + scenario + "\">" + scenario.title() + "<");
            }
            var byAnother = HttpRequest.newBuilder(page.address().resolve("play/CLICKS"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(http.send(byAnother, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(404);
            assertThat(get(http, page.address().resolve("play/CLICKS")).statusCode())
                    .isEqualTo(404);
            assertThat(get(http, page.address().resolve("Shop.class")).statusCode())
                    .isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(HttpClient http, URI address) throws Exception {
        return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    @Test
    void takenPortIsReportedAndNothingIsStarted() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> DemoPage.start(folder, taken.getLocalPort()))
                    .isInstanceOf(DemoFailedException.class)
                    .hasMessageStartingWith("Cannot listen on port " + taken.getLocalPort())
                    .hasMessageContaining("--port");
        }
        assertThat(folder).isEmptyDirectory();
    }
}
