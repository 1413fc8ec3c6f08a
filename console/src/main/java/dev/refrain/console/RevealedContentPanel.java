package dev.refrain.console;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.console.HtmlTables.Fact;
import dev.refrain.http.KeptRequest;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/** Panel with the request and response of a record, for a user who gave a reason. */
final class RevealedContentPanel {

    private static final int MAX_LENGTH = 20_000;

    private RevealedContentPanel() {}

    static SafeHtml of(Optional<StoredRecord> record, Optional<Payload> keptRequest) {
        var kept = keptRequest.map(RevealedContentPanel::kept).orElse(SafeHtml.NOTHING);
        var request = record.flatMap(StoredRecord::request)
                .map(r -> SafeHtml.concat(SafeHtml.element("h3").content("Request"), body(r)))
                .orElse(SafeHtml.NOTHING);
        var answer = record.flatMap(StoredRecord::outcome)
                .map(RevealedContentPanel::answer)
                .orElse(SafeHtml.NOTHING);
        return SafeHtml.element("div").with("id", "revealed").content(kept, request, answer);
    }

    private static SafeHtml kept(Payload payload) {
        var title = SafeHtml.element("h3").content("Request as it was received");
        return KeptRequest.decode(payload)
                .map(request -> SafeHtml.concat(title, kept(request)))
                .orElseGet(() -> SafeHtml.concat(
                        title,
                        SafeHtml.element("p")
                                .content("It cannot be read here: it is encrypted or of a newer version.")));
    }

    private static SafeHtml kept(KeptRequest request) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("Request", HtmlTables.code(request.method() + " " + request.target())));
        request.headers().forEach(header -> facts.add(new Fact(header.name(), HtmlTables.code(header.value()))));
        facts.add(new Fact("Body", SafeHtml.text(request.bodySummary())));
        return SafeHtml.concat(
                HtmlTables.facts(facts),
                request.bodyText().map(RevealedContentPanel::text).orElse(SafeHtml.NOTHING));
    }

    private static SafeHtml answer(Payload outcome) {
        try {
            return answer(OutcomeFormat.decode(outcome));
        } catch (UnreadableOutcomeException e) {
            return SafeHtml.element("p").content(String.valueOf(e.getMessage()));
        }
    }

    private static SafeHtml answer(Outcome.Answer answer) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("Status", SafeHtml.text(Integer.toString(answer.status()))));
        answer.headers().forEach(header -> facts.add(new Fact(header.name(), HtmlTables.code(header.value()))));
        return SafeHtml.concat(
                SafeHtml.element("h3").content("Response"), HtmlTables.facts(facts), body(answer.body()));
    }

    private static SafeHtml text(String text) {
        return SafeHtml.element("pre")
                .with("tabindex", "0")
                .content(text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "\n… (truncated)" : text);
    }

    static SafeHtml body(Payload payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.bytes()))
                    .toString();
            return text(text);
        } catch (CharacterCodingException e) {
            return SafeHtml.element("p").content(payload.size() + " bytes of binary data");
        }
    }
}
