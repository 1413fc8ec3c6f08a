package dev.refrain.packager;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Schema of Kubernetes' API, as the types of its Java client have it: unknown fields, missing ones and wrong types are refused. */
final class KubernetesSchema {

    private static final String MODELS = "io.kubernetes.client.openapi.models.V1";
    private static final YAMLMapper YAML = new YAMLMapper();

    private KubernetesSchema() {}

    /** Reads all documents of a file. */
    static List<JsonNode> documents(Path file) throws IOException {
        var documents = new ArrayList<JsonNode>();
        try (var found = YAML.readerFor(JsonNode.class).<JsonNode>readValues(Files.readAllBytes(file))) {
            found.forEachRemaining(documents::add);
        }
        return documents;
    }

    /** Returns what the schema refuses in a document. */
    static Optional<String> problemOf(JsonNode document) {
        String kind = document.path("kind").asString("");
        try {
            var check = Class.forName(MODELS + kind).getMethod("validateJsonElement", JsonElement.class);
            check.invoke(null, JsonParser.parseString(document.toString()));
            return Optional.empty();
        } catch (InvocationTargetException refused) {
            return Optional.of(kind + ": " + refused.getCause());
        } catch (ReflectiveOperationException unknown) {
            return Optional.of("There is no kind '" + kind + "'.");
        }
    }
}
