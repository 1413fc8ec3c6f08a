package dev.refrain.http.internal.json;

import dev.refrain.http.KeptRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Members of the JSON form of a kept request for operators, with the same names wherever one is shown. */
public final class KeptRequestJson {

    private KeptRequestJson() {}

    /** Returns the request; its body as text, or only its description if it is not text. */
    public static Map<String, Object> of(KeptRequest request) {
        var json = new LinkedHashMap<String, Object>();
        json.put("method", request.method());
        json.put("target", request.target());
        json.put(
                "headers",
                request.headers().stream().map(KeptRequestJson::header).toList());
        json.put("receivedBytes", request.receivedBytes());
        json.put("bodySummary", request.bodySummary());
        request.bodyText().ifPresent(text -> json.put("body", text));
        return json;
    }

    private static Map<String, Object> header(KeptRequest.SentHeader header) {
        var json = new LinkedHashMap<String, Object>();
        json.put("name", header.name());
        json.put("value", header.value());
        return json;
    }
}
