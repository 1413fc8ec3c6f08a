package dev.refrain.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes results as JSON: {@code {"results":[{"name":…,"ratio":…,"spread":…,…}]}}. */
final class BenchmarkReportJson {

    private BenchmarkReportJson() {}

    static void write(BenchmarkReport report, Path file) throws IOException {
        try (var out = Files.newBufferedWriter(file);
                var json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("at", report.at().toString());
            json.writeBooleanProperty("quick", report.isQuick());
            write(report.machine(), json);
            json.writeArrayPropertyStart("results");
            report.results().forEach(result -> write(result, json));
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void write(MachineInfo machine, JsonGenerator json) {
        json.writeObjectPropertyStart("machine");
        json.writeStringProperty("processor", machine.processor());
        json.writeNumberProperty("cores", machine.cores());
        json.writeNumberProperty("memoryGib", machine.memoryGib());
        json.writeStringProperty("system", machine.system());
        json.writeStringProperty("java", machine.java());
        json.writeStringProperty("postgres", machine.postgres());
        json.writeStringProperty("durability", machine.durability());
        json.writeNumberProperty("syncMillis", machine.syncMillis());
        json.writeEndObject();
    }

    /** Writes one result; its spread is the distance between the quartiles, which follow. */
    private static void write(BenchmarkResult result, JsonGenerator json) {
        var title = result.title();
        json.writeStartObject();
        json.writeStringProperty("name", title.name());
        json.writeStringProperty("what", title.what());
        json.writeNumberProperty("ratio", result.ratio().median());
        json.writeNumberProperty("spread", result.ratio().interquartileRange());
        json.writeNumberProperty("q1", result.ratio().q1());
        json.writeNumberProperty("q3", result.ratio().q3());
        json.writeNumberProperty("pairs", result.pairs());
        json.writeStringProperty("unit", title.unit());
        write(title.bar(), json);
        json.writeBooleanProperty("pass", result.passes());
        json.writeArrayPropertyStart("readings");
        result.readings().forEach(reading -> write(reading, json));
        json.writeEndArray();
        json.writeArrayPropertyStart("sides");
        result.sides().forEach(side -> write(side, json));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(BenchmarkThreshold bar, JsonGenerator json) {
        json.writeNumberProperty("bar", bar.value());
        json.writeStringProperty(
                "direction", bar.direction() == BenchmarkThreshold.Direction.AT_LEAST ? "at least" : "at most");
    }

    private static void write(SecondaryMeasurement reading, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("name", reading.name());
        json.writeNumberProperty("value", reading.value());
        json.writeStringProperty("unit", reading.unit());
        reading.bar().ifPresent(bar -> write(bar, json));
        json.writeBooleanProperty("pass", reading.passes());
        json.writeEndObject();
    }

    private static void write(WorkloadFigures side, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("side", side.side());
        json.writeNumberProperty("perSecond", side.perSecond());
        json.writeNumberProperty("p50Millis", side.p50());
        json.writeNumberProperty("p99Millis", side.p99());
        json.writeNumberProperty("p999Millis", side.p999());
        json.writeNumberProperty("maxMillis", side.max());
        json.writeNumberProperty("cpuMicros", side.cpuMicros());
        json.writeNumberProperty("walBytes", side.walBytes());
        json.writeNumberProperty("starved", side.starved());
        json.writeNumberProperty("refusedPerHundred", side.refused());
        json.writeEndObject();
    }
}
