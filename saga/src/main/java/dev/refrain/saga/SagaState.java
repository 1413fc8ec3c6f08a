package dev.refrain.saga;

import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Progress of a saga, carried from point to point and kept as its outcome.
 *
 * @param results the results of the steps that happened, in their order
 * @param failure the failure of a step, if one failed
 * @param compensated the compensated steps, in the order of their compensation
 * @param failedCompensations steps whose compensation failed, each with the reason
 */
record SagaState(
        Map<String, Payload> results,
        Optional<StepFailure> failure,
        List<String> compensated,
        Map<String, String> failedCompensations) {

    static final SagaState BEGUN = new SagaState(Map.of(), Optional.empty(), List.of(), Map.of());

    private static final byte FORMAT = 1;

    /** First byte of no format: a text begins there, or above. */
    private static final byte NO_FORMAT = '\t';

    boolean isDone(String step) {
        return results.containsKey(step);
    }

    /** Returns whether a step happened or may have happened, so that it has to be compensated. */
    boolean mayHaveHappened(String step) {
        return isDone(step)
                || failure.filter(f -> f.mayHaveHappened() && f.step().equals(step))
                        .isPresent();
    }

    SagaState done(String step, Payload result) {
        return new SagaState(with(results, step, result), failure, compensated, failedCompensations);
    }

    SagaState failed(StepFailure because) {
        return new SagaState(results, Optional.of(because), compensated, failedCompensations);
    }

    SagaState compensated(String step) {
        var all = new ArrayList<>(compensated);
        all.add(step);
        var others = new LinkedHashMap<>(failedCompensations);
        others.remove(step);
        return new SagaState(results, failure, all, others);
    }

    SagaState failedCompensations(String step, String why) {
        return new SagaState(results, failure, compensated, with(failedCompensations, step, why));
    }

    <T> T result(String step, ResultType<T> type, ValueCodec codec) {
        var found = results.get(step);
        if (found == null || found.size() == 0) {
            throw new IllegalStateException("Step " + step + " has no result: "
                    + (found == null ? "it did not happen, or may not have." : "it returned nothing."));
        }
        return type.cast(codec.decode(found.bytes(), type.type()));
    }

    private static <V> Map<String, V> with(Map<String, V> before, String name, V value) {
        var all = new LinkedHashMap<>(before);
        all.put(name, value);
        return all;
    }

    byte[] encode() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeInt(results.size());
            for (var result : results.entrySet()) {
                text(out, result.getKey());
                encode(out, result.getValue().bytes());
            }
            out.writeBoolean(failure.isPresent());
            if (failure.isPresent()) {
                text(out, failure.get().step());
                text(out, failure.get().reason());
                out.writeBoolean(failure.get().mayHaveHappened());
            }
            out.writeInt(compensated.size());
            for (String step : compensated) {
                text(out, step);
            }
            out.writeInt(failedCompensations.size());
            for (var letter : failedCompensations.entrySet()) {
                text(out, letter.getKey());
                text(out, letter.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Returns true for the outcome of a saga that ended by itself, and false for one that a person resolved its record with. */
    static boolean isEncodedIn(byte[] outcome) {
        return outcome.length > 0 && outcome[0] > 0 && outcome[0] < NO_FORMAT;
    }

    static SagaState decode(byte[] bytes) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalStateException("Cannot read the state of a saga in format " + format
                        + ": a newer version of Refrain wrote it, and this one reads up to " + FORMAT
                        + ". Upgrade this instance.");
            }
            var results = new LinkedHashMap<String, Payload>();
            for (int left = in.readInt(); left > 0; left--) {
                results.put(text(in), Payload.of(in.readNBytes(in.readInt())));
            }
            Optional<StepFailure> failure = in.readBoolean()
                    ? Optional.of(new StepFailure(text(in), text(in), in.readBoolean()))
                    : Optional.empty();
            var undone = new ArrayList<String>();
            for (int left = in.readInt(); left > 0; left--) {
                undone.add(text(in));
            }
            var dead = new LinkedHashMap<String, String>();
            for (int left = in.readInt(); left > 0; left--) {
                dead.put(text(in), text(in));
            }
            return new SagaState(results, failure, undone, dead);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read the state of a saga: it is truncated.", e);
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        encode(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void encode(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
