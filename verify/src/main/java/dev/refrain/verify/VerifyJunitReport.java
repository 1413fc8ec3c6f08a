package dev.refrain.verify;

import java.io.StringWriter;
import java.time.Duration;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Renders the report as JUnit XML: one suite with one test case per case. */
final class VerifyJunitReport {

    private final VerifyReport report;

    VerifyJunitReport(VerifyReport report) {
        this.report = report;
    }

    String xml() {
        var text = new StringWriter();
        try {
            var xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            attribute(xml, "name", "refrain verify " + report.subject().api().route());
            attribute(xml, "tests", report.results().size());
            attribute(xml, "failures", report.failed());
            attribute(xml, "errors", 0);
            attribute(xml, "skipped", report.skipped());
            attribute(xml, "time", seconds(report.took()));
            for (var result : report.results()) {
                write(xml, result);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("Cannot write the JUnit report.", e);
        }
        return text + "\n";
    }

    private static void write(XMLStreamWriter xml, VerifyCaseResult result) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute(xml, "name", result.description().name());
        attribute(xml, "classname", "refrain.verify");
        attribute(xml, "time", seconds(result.took()));
        switch (result.verdict()) {
            case CaseVerdict.Failed failed -> {
                xml.writeStartElement("failure");
                attribute(xml, "type", "refrain.verify");
                attribute(xml, "message", "expected " + failed.expected() + "; found " + failed.found());
                xml.writeCharacters(clean(result.description().requirement() + "\nmeans: "
                        + failed.means() + "\nsee: " + result.description().reference() + "\n"
                        + String.join("\n", result.transcript())));
                xml.writeEndElement();
            }
            case CaseVerdict.Skipped skipped -> {
                xml.writeStartElement("skipped");
                attribute(xml, "message", skipped.reason());
                xml.writeEndElement();
            }
            case CaseVerdict.Advice advice -> {
                xml.writeStartElement("system-out");
                xml.writeCharacters(clean(advice.text()));
                xml.writeEndElement();
            }
            case CaseVerdict.Passed passed -> {}
        }
        xml.writeEndElement();
    }

    private static void attribute(XMLStreamWriter xml, String name, Object value) throws XMLStreamException {
        xml.writeAttribute(name, clean(value.toString()));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    }

    /** Replaces characters that XML 1.0 cannot represent, which an API may send. */
    private static String clean(String text) {
        var clean = new StringBuilder();
        text.codePoints().map(each -> isAllowed(each) ? each : '\ufffd').forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static boolean isAllowed(int character) {
        return character == '\t'
                || character == '\n'
                || character == '\r'
                || (character >= 0x20 && character <= 0xd7ff)
                || (character >= 0xe000 && character <= 0xfffd)
                || character >= 0x10000;
    }
}
