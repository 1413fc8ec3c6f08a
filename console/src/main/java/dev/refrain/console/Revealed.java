package dev.refrain.console;

import dev.refrain.console.Tables.Fact;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.UnreadableOutcomeException;
import dev.refrain.store.StoredRecord;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/** What a record says, for someone who gave a reason to see it. */
final class Revealed {

    private static final int SHOWN = 20_000;

    private Revealed() {}

    static Html of(Optional<StoredRecord> record) {
        var request = record.flatMap(StoredRecord::request)
                .map(r -> Html.concat(Html.element("h3").content("Request"), body(r)))
                .orElse(Html.NOTHING);
        var answer = record.flatMap(StoredRecord::outcome).map(Revealed::answer).orElse(Html.NOTHING);
        return Html.element("div").with("id", "revealed").content(request, answer);
    }

    private static Html answer(Payload outcome) {
        try {
            return answer(OutcomeFormat.decode(outcome));
        } catch (UnreadableOutcomeException e) {
            return Html.element("p").content(String.valueOf(e.getMessage()));
        }
    }

    private static Html answer(Outcome.Answer answer) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("Status", Html.text(Integer.toString(answer.status()))));
        answer.headers().forEach(header -> facts.add(new Fact(header.name(), Tables.code(header.value()))));
        return Html.concat(Html.element("h3").content("Answer"), Tables.facts(facts), body(answer.body()));
    }

    static Html body(Payload payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.bytes()))
                    .toString();
            return Html.element("pre")
                    .with("tabindex", "0")
                    .content(text.length() > SHOWN ? text.substring(0, SHOWN) + "\n… and more" : text);
        } catch (CharacterCodingException e) {
            return Html.element("p").content(payload.size() + " bytes that are no text.");
        }
    }
}
