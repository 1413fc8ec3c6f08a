package dev.refrain.http.cases;

import dev.refrain.outcome.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a handler answers. */
public record Given(int status, List<Header> headers, String text, Way style) {

    public static Given of(int status, String text) {
        return new Given(status, List.of(new Header("Content-Type", "text/plain;charset=UTF-8")), text, Way.STREAM);
    }

    public Given with(String name, String value) {
        var all = new ArrayList<>(headers);
        all.add(new Header(name, value));
        return new Given(status, all, text, style);
    }

    public Given via(Way other) {
        return new Given(status, headers, text, other);
    }

    /** One byte for each character: the tests' bodies are in Latin-1, so that every byte can be in them. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
