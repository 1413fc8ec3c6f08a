package dev.refrain.http.client;

import java.util.Arrays;
import java.util.List;
import org.openqa.selenium.Keys;

/** Accessibility checks of a page in a browser: contrast, width, keyboard. */
public final class PageAccessibilityChecks {

    /** Script that computes blended colors and their WCAG 2 contrast. */
    private static final String COLOURS = """
            const parts = text => { const n = text.match(/[0-9.]+/g).map(Number); return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1] };
            const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
            const ground = element => {
              const layers = [];
              for (let e = element; e; e = e.parentElement) layers.push(parts(getComputedStyle(e).backgroundColor));
              return layers.reverse().reduce((under, top) => over(top, under),
                  matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1]);
            };
            const light = colour => { const [r, g, b] = colour.map(c => { const v = c / 255;
                return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
            const contrast = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
                return (a + 0.05) / (b + 0.05) };
            const shown = e => e.checkVisibility() && e.getClientRects().length > 0;
            const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (e.className.baseVal === undefined && e.className
                ? '.' + e.className : '') + ' ' + (e.innerText || e.value || '').slice(0, 40);
            """;

    /** Script that lists poor contrast: below 4.5 for text, 3 for large text, field borders and focus. */
    private static final String CONTRAST = "(() => {" + COLOURS + """
            const poor = [];
            for (const e of document.querySelectorAll('body, body *')) {
              const field = e.matches('input:not([type=hidden]), select, textarea');
              const text = field || [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
              if (!shown(e) || !text || e.closest('svg')) continue;
              const style = getComputedStyle(e), size = parseFloat(style.fontSize);
              const large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
              const behind = ground(e), ratio = contrast(over(parts(style.color), behind), behind);
              if (ratio < (large ? 3 : 4.5)) poor.push(ratio.toFixed(2) + ' ' + name(e));
              if (field) {
                const around = ground(e.parentElement), edge = contrast(over(parts(style.borderTopColor), around), around);
                if (edge < 3) poor.push('edge ' + edge.toFixed(2) + ' ' + name(e));
              }
            }
            return poor.join('\\n');
            })()""";

    /** Script that marks and counts all interactive elements. */
    private static final String REACHABLE = "(() => {" + COLOURS + """
            let count = 0;
            for (const e of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]'))
              if (shown(e)) e.dataset.stop = ++count;
            document.activeElement.blur();
            return String(count);
            })()""";

    /** Script that returns the focused element and whether its focus is visible. */
    private static final String FOCUSED = "(() => {" + COLOURS + """
            const e = document.activeElement;
            if (!e || e === document.body) return 'none';
            const style = getComputedStyle(e), box = e.getBoundingClientRect(), wrong = [];
            if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) wrong.push('no outline');
            const behind = ground(e.parentElement);
            if (contrast(over(parts(style.outlineColor), behind), behind) < 3) wrong.push('faint outline');
            if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) wrong.push('out of sight');
            return e.dataset.stop + '\\t' + name(e).trim() + '\\t' + wrong.join(', ');
            })()""";

    private static final String MARKED = "String(document.querySelectorAll('[data-stop]').length)";
    private static final int WALKS = 5;

    private PageAccessibilityChecks() {}

    /** Lists texts with poor contrast. */
    public static List<String> poorContrast(HeadlessBrowser browser) {
        return lines(browser.evaluate(CONTRAST));
    }

    public static boolean fits(HeadlessBrowser browser) {
        return browser.evaluate("String(document.documentElement.scrollWidth <= innerWidth)")
                .equals("true");
    }

    /** Lists elements that Tab does not reach, or that do not show their focus. */
    public static List<String> unreachable(HeadlessBrowser browser) {
        for (int walk = 0; walk < WALKS; walk++) {
            int stops = Integer.parseInt(browser.evaluate(REACHABLE));
            var found = walk(browser, stops);
            if (browser.evaluate(MARKED).equals(String.valueOf(stops))) {
                return found;
            }
            // The page has replaced a part of itself meanwhile, and what is new has no mark.
        }
        throw new AssertionError("The page kept changing while Tab was pressed: " + browser.evaluate("location.href"));
    }

    private static List<String> walk(HeadlessBrowser browser, int stops) {
        var missing = new java.util.TreeSet<Integer>();
        for (int stop = 1; stop <= stops; stop++) {
            missing.add(stop);
        }
        var wrong = new java.util.TreeSet<String>();
        // Some fields have several tab stops.
        for (int press = 0; press < 12 * stops && !missing.isEmpty(); press++) {
            browser.press(Keys.TAB);
            var focused = browser.evaluate(FOCUSED).split("\t", -1);
            if (focused.length == 3 && focused[0].matches("[0-9]+")) {
                missing.remove(Integer.valueOf(focused[0]));
                if (!focused[2].isEmpty()) {
                    wrong.add(focused[1] + ": " + focused[2]);
                }
            }
        }
        missing.forEach(stop -> wrong.add("not reached: "
                + browser.evaluate("(document.querySelector('[data-stop=\"" + stop + "\"]') || {outerHTML: 'gone'})"
                        + ".outerHTML.slice(0, 120)")));
        return List.copyOf(wrong);
    }

    /** Moves the focus to an element with Tab. */
    public static void tabTo(HeadlessBrowser browser, String selector) {
        for (int press = 0; press < 200; press++) {
            if (browser.evaluate("String(document.activeElement.matches('" + selector + "'))")
                    .equals("true")) {
                return;
            }
            browser.press(Keys.TAB);
        }
        throw new AssertionError("The keyboard does not come to " + selector);
    }

    private static List<String> lines(String text) {
        return Arrays.stream(text.split("\n")).filter(line -> !line.isEmpty()).toList();
    }
}
