package dev.refrain.verify;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads values from JSON bodies, and derives different or equivalent bodies from them. */
final class JsonBodyEditor {

    static final String TYPE = "application/json";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Pattern NUMBER_IN_FORM = Pattern.compile("=(\\d{1,18})(?=&|$)");

    private JsonBodyEditor() {}

    static Optional<JsonNode> parse(String text) {
        try {
            return Optional.of(MAPPER.readTree(text)).filter(node -> !node.isMissingNode());
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }

    static boolean isJson(String text) {
        return parse(text).filter(JsonNode::isContainer).isPresent();
    }

    /** Finds the value at a pointer. */
    static Optional<JsonNode> at(JsonPointer pointer, String text) {
        return parse(text).map(node -> node.at(pointer)).filter(node -> !node.isMissingNode());
    }

    /**
     * Returns the same object with its members reversed and more white space; empty if it has fewer than two members.
     */
    static Optional<String> reordered(String text) {
        return parse(text)
                .filter(node -> node instanceof ObjectNode object && object.size() > 1)
                .map(node -> {
                    var members = new ArrayList<>(node.properties());
                    Collections.reverse(members);
                    var reversed = MAPPER.createObjectNode();
                    members.forEach(member -> reversed.set(member.getKey(), member.getValue()));
                    return reversed.toPrettyString();
                });
    }

    /** Returns the same body with its first integer increased by one, in JSON or in a form; empty if it has none. */
    static Optional<String> withOtherNumber(String text) {
        var tree = parse(text).filter(JsonNode::isContainer);
        if (tree.isPresent()) {
            return tree.filter(JsonBodyEditor::incrementFirst).map(JsonNode::toString);
        }
        var number = NUMBER_IN_FORM.matcher(text);
        return number.find()
                ? Optional.of(text.substring(0, number.start(1))
                        + (Long.parseLong(number.group(1)) + 1)
                        + text.substring(number.end(1)))
                : Optional.empty();
    }

    private static boolean incrementFirst(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (member.getValue().isIntegralNumber()) {
                    object.put(
                            member.getKey(), member.getValue().bigIntegerValue().add(BigInteger.ONE));
                    return true;
                }
            }
        }
        for (JsonNode below : node) {
            if (incrementFirst(below)) {
                return true;
            }
        }
        return false;
    }
}
