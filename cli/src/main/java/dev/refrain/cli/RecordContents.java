package dev.refrain.cli;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.internal.json.KeptRequestJson;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Request and response of a record, for {@code --reveal}.
 *
 * @param sealed whether there is a response that cannot be read here, because it is encrypted with a key that only the
 *     application has
 */
record RecordContents(
        Optional<Payload> request, Optional<Payload> keptRequest, Optional<Outcome.Answer> answer, boolean sealed) {

    static RecordContents of(Optional<StoredRecord> record, Optional<Payload> keptRequest) {
        var request = record.flatMap(StoredRecord::request);
        var outcome = record.flatMap(StoredRecord::outcome);
        try {
            return new RecordContents(request, keptRequest, outcome.map(OutcomeFormat::decode), false);
        } catch (UnreadableOutcomeException e) {
            return new RecordContents(request, keptRequest, Optional.empty(), true);
        }
    }

    ObjectNode json() {
        var json = RecordJson.object();
        request.ifPresent(r -> json.set("request", body(r)));
        keptRequest.ifPresent(kept -> json.set(
                "keptRequest",
                KeptRequest.decode(kept)
                        .map(request -> RecordJson.node(KeptRequestJson.of(request)))
                        .orElseGet(() -> RecordJson.object().put("sealed", true))));
        answer.ifPresent(a -> {
            var response = json.putObject("answer").put("status", a.status());
            var headers = response.putArray("headers");
            a.headers().forEach(h -> headers.addObject().put("name", h.name()).put("value", h.value()));
            response.set("body", body(a.body()));
        });
        if (sealed) {
            json.put("sealed", true);
        }
        return json;
    }

    void print(PrintWriter out) {
        request.ifPresent(r -> out.printf("%-18s %s%n", "request", described(r)));
        keptRequest.ifPresent(kept -> KeptRequest.decode(kept)
                .ifPresentOrElse(
                        request -> print(out, request),
                        () -> out.printf("%-18s %s%n", "kept request", "encrypted; cannot be read here")));
        answer.ifPresent(a -> {
            out.printf("%-18s %d%n", "response", a.status());
            a.headers()
                    .forEach(h -> out.printf(
                            "%-18s %s: %s%n", "", TerminalFormat.escape(h.name()), TerminalFormat.escape(h.value())));
            out.printf("%-18s %s%n", "", described(a.body()));
        });
        if (sealed) {
            out.printf("%-18s %s%n", "response", "encrypted; cannot be read here");
        }
    }

    private static void print(PrintWriter out, KeptRequest kept) {
        out.printf("%-18s %s%n", "kept request", TerminalFormat.escape(kept.method() + " " + kept.target()));
        kept.headers()
                .forEach(h -> out.printf(
                        "%-18s %s: %s%n", "", TerminalFormat.escape(h.name()), TerminalFormat.escape(h.value())));
        out.printf("%-18s (%s)%n", "", TerminalFormat.escape(kept.bodySummary()));
        kept.bodyText().ifPresent(text -> out.printf("%-18s %s%n", "", TerminalFormat.escape(text)));
    }

    static ObjectNode body(Payload payload) {
        return text(payload)
                .map(text -> RecordJson.object().put("text", text))
                .orElseGet(() ->
                        RecordJson.object().put("base64", Base64.getEncoder().encodeToString(payload.bytes())));
    }

    static String described(Payload payload) {
        return text(payload)
                .map(TerminalFormat::escape)
                .orElse(payload.size() + " bytes of binary data (use --json to print them)");
    }

    private static Optional<String> text(Payload payload) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.bytes()))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
