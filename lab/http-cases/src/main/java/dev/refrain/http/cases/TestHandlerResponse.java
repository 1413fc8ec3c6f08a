package dev.refrain.http.cases;

import dev.refrain.api.AnswerHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Response of a handler. */
public record TestHandlerResponse(int status, List<AnswerHeader> headers, String text, HandlerResponseStyle style) {

    public static TestHandlerResponse of(int status, String text) {
        return new TestHandlerResponse(
                status,
                List.of(new AnswerHeader("Content-Type", "text/plain;charset=UTF-8")),
                text,
                HandlerResponseStyle.STREAM);
    }

    public TestHandlerResponse with(String name, String value) {
        var all = new ArrayList<>(headers);
        all.add(new AnswerHeader(name, value));
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
