import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;

/**
 * Prints which tests a build skipped, why, and how to run them: the last thing that {@code ./mvnw verify} does.
 *
 * <p>Reads the reports that the test runner wrote since the build began. Run as a source file: {@code java SkippedTestSummary.java
 * ROOT BEGIN}.
 */
public final class SkippedTestSummary {

    /** JUnit's own explanation of a condition ends where ours begins. */
    private static final String OUR_REASON = "==> ";

    private final Instant begin;
    private final Map<String, TreeSet<String>> classesByReason = new TreeMap<>();
    private final Map<String, Integer> testsByReason = new TreeMap<>();
    private int tests;

    private SkippedTestSummary(Instant begin) {
        this.begin = begin;
    }

    public static void main(String[] args) throws IOException, XMLStreamException {
        var summary = new SkippedTestSummary(Instant.parse(args[1]));
        try (var files = Files.walk(Path.of(args[0]))) {
            for (var report : files.filter(SkippedTestSummary::isReport).toList()) {
                summary.read(report);
            }
        }
        summary.lines().forEach(System.out::println);
    }

    private static boolean isReport(Path file) {
        return file.getFileName().toString().matches("TEST-.*\\.xml")
                && file.getParent().endsWith("surefire-reports");
    }

    private void read(Path report) throws IOException, XMLStreamException {
        // File systems that keep whole seconds round down.
        if (Files.getLastModifiedTime(report).toInstant().isBefore(begin.minusSeconds(1))) {
            return;
        }
        try (var in = Files.newInputStream(report)) {
            var xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(in);
            String test = "";
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "testcase" -> {
                        tests++;
                        test = simpleName(xml.getAttributeValue(null, "classname"));
                    }
                    case "skipped" -> {
                        // A condition of JUnit says why in an attribute, an assumption in the text.
                        String message = xml.getAttributeValue(null, "message");
                        skipped(test, message == null ? xml.getElementText() : message);
                    }
                    default -> {
                        // Output and failures, which the build has shown already.
                    }
                }
            }
        }
    }

    private void skipped(String test, String message) {
        String reason = message == null || message.isBlank() ? "No reason given" : message.strip();
        int ours = reason.indexOf(OUR_REASON);
        if (ours >= 0) {
            reason = reason.substring(ours + OUR_REASON.length());
        }
        reason = reason.lines().findFirst().orElse(reason).replaceFirst("^.*Assumption failed: ", "");
        classesByReason.computeIfAbsent(reason, r -> new TreeSet<>()).add(test);
        testsByReason.merge(reason, 1, Integer::sum);
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private List<String> lines() {
        var lines = new ArrayList<String>();
        int skipped = testsByReason.values().stream().mapToInt(Integer::intValue).sum();
        lines.add("");
        lines.add("Tests: %,d run, %,d skipped.".formatted(tests - skipped, skipped));
        testsByReason.forEach((reason, count) ->
                lines.add("  %4d  %s  (%s)".formatted(count, reason, String.join(", ", classesByReason.get(reason)))));
        lines.add("Longer runs of the same tests: -Plong, -Pgrowth. What each profile needs is in CONTRIBUTING.md,"
                + " \"What `verify` leaves out\".");
        lines.add("");
        return lines;
    }
}
