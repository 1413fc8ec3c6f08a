package dev.refrain.http.client;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window, and one tab of it, driven by Selenium through the machine's own ChromeDriver. */
public final class HeadlessBrowser implements AutoCloseable {

    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The reason for which a test in a browser is skipped. */
    public static final String MISSING =
            "There is no Chromium with its chromedriver on the PATH (Debian: chromium, chromium-driver);"
                    + " -Drefrain.test.chromium and -Drefrain.test.chromedriver name them elsewhere.";

    /** Selenium warns of each browser that is newer than its own DevTools classes, which are not used here. */
    private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

    static {
        DEVTOOLS.setLevel(Level.SEVERE);
    }

    private final ChromeDriver driver;
    private final List<String> complaints = new ArrayList<>();

    public static boolean isInstalled() {
        return browser().isPresent() && chromeDriver().isPresent();
    }

    private static Optional<Path> browser() {
        return program("refrain.test.chromium", BROWSERS);
    }

    private static Optional<Path> chromeDriver() {
        return program("refrain.test.chromedriver", List.of("chromedriver"));
    }

    private static Optional<Path> program(String property, List<String> names) {
        return Stream.concat(
                        Stream.ofNullable(System.getProperty(property)).map(Path::of),
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name))))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param profile an empty folder for what the browser stores */
    public HeadlessBrowser(Path profile) {
        var options = new ChromeOptions();
        options.setBinary(browser().orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // it cannot have one as root, and sees only pages of this test
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile);
        // Pages are awaited here, some of which fail on purpose.
        options.setPageLoadStrategy(PageLoadStrategy.NONE);
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromeDriver().orElseThrow().toFile())
                        .build(),
                options);
    }

    public void open(URI page) {
        driver.get(page.toString());
        awaitPage(page);
    }

    /** Waits until this page is loaded: until then a script or a key may reach the page before. */
    public void awaitPage(URI page) {
        patiently().until(() -> evaluate("document.readyState + location.href").equals("complete" + page));
    }

    /** Reloads as by the button: a page that was the answer to a form is requested again in the same way. */
    public void reload() {
        driver.navigate().refresh();
    }

    /** Goes back as by the button. */
    public void back() {
        String left = evaluate("location.href");
        driver.navigate().back();
        patiently()
                .until(() -> evaluate("document.readyState === 'complete' && location.href !== '" + left + "'")
                        .equals("true"));
    }

    /** Types into this field, in place of its content. */
    public void type(String selector, String text) {
        patiently().until(() -> !driver.findElements(By.cssSelector(selector)).isEmpty());
        driver.findElement(By.cssSelector(selector)).sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
    }

    /** Clicks with the mouse; two times are a double click. */
    public void click(String selector, int times) {
        var mouse = new Actions(driver).moveToElement(driver.findElement(By.cssSelector(selector)));
        for (int time = 0; time < times; time++) {
            mouse.click();
        }
        mouse.perform();
    }

    /** Types into the field that has the focus. */
    public void write(String text) {
        new Actions(driver).sendKeys(text).perform();
    }

    public void press(Keys key) {
        new Actions(driver).sendKeys(key).perform();
    }

    public void awaitText(String wanted) {
        patiently()
                .until(
                        () -> evaluate("document.readyState === 'complete' ? document.body.innerText : ''"),
                        shown -> shown.contains(wanted));
    }

    /** Between two pages there is none to ask. */
    private static ConditionFactory patiently() {
        return await().ignoreExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE);
    }

    /** Returns the value of this expression as text; empty if it has none. */
    public String evaluate(String expression) {
        var value = driver.executeScript("return (" + expression + ")");
        return value == null ? "" : value.toString();
    }

    /** Sets the size of the window, and whether the visitor prefers dark pages. */
    public void show(int width, int height, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    public void screenshot(Path file) throws IOException {
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /** Returns what went wrong in the pages so far: refused by their policy, thrown or logged by a script. */
    public List<String> complaints() {
        for (var entry : ((WebDriver) driver).manage().logs().get(LogType.BROWSER)) {
            if (!entry.getMessage().contains("Failed to load resource")) {
                complaints.add(entry.getMessage());
            }
        }
        return List.copyOf(complaints);
    }

    public void forgetComplaints() {
        complaints();
        complaints.clear();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
