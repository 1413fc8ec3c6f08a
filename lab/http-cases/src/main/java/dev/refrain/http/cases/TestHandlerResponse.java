package dev.refrain.http.cases;

import dev.refrain.api.OutcomeHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Response of a handler. */
public record TestHandlerResponse(int status, List<OutcomeHeader> headers, String text, HandlerResponseStyle style) {

    public static TestHandlerResponse of(int status, String text) {
        return new TestHandlerResponse(
                status,
                List.of(new OutcomeHeader("Content-Type", "text/plain;charset=UTF-8")),
                text,
                HandlerResponseStyle.STREAM);
    }

    public TestHandlerResponse with(String name, String value) {
        var all = new ArrayList<>(headers);
        all.add(new OutcomeHeader(name, value));
        return new TestHandlerResponse(status, all, text, style);
    }

    public TestHandlerResponse via(HandlerResponseStyle other) {
        return new TestHandlerResponse(status, headers, text, other);
    }

    /** Returns one byte for each character: test bodies are Latin-1, so that they can hold every byte. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
