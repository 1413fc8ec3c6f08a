package dev.refrain.http.cases;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Response as it was received; its body as Latin-1, without its transfer coding. */
public record RawHttpResponse(int status, List<Map.Entry<String, String>> headers, String body) {

    public Optional<String> header(String name) {
        return all(name).stream().findFirst();
    }

    public List<String> all(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    public boolean replayed() {
        return header("Idempotent-Replayed").filter("true"::equals).isPresent();
    }
}
