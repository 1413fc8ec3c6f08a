package dev.refrain.packager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Bill of materials in the format of CycloneDX: the components of an archive with their licences. */
final class Sbom {

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final ObjectNode document;

    private Sbom(ObjectNode document) {
        this.document = document;
    }

    static Sbom read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new PackagingException("There is no SBOM " + file
                    + ". Run Maven without -o, with which the goal that writes it skips itself.");
        }
        return new Sbom((ObjectNode) JSON.readTree(Files.readAllBytes(file)));
    }

    /** Component with its licences: SPDX ids or expressions where they have one, names elsewhere. */
    record Component(String name, String version, List<String> licences) {}

    /** Finds the component of a jar by the name of its file. */
    Optional<Component> componentOf(String jar) {
        for (JsonNode component : document.path("components")) {
            String name = component.path("name").asString("");
            String version = component.path("version").asString("");
            if (jar.equals(name + "-" + version + ".jar")) {
                return Optional.of(new Component(name, version, licences(component)));
            }
        }
        return Optional.empty();
    }

    private static List<String> licences(JsonNode component) {
        var licences = new ArrayList<String>();
        for (JsonNode choice : component.path("licenses")) {
            var licence = choice.path("license");
            licences.add(
                    choice.has("expression")
                            ? choice.path("expression").asString()
                            : licence.path("id").asString(licence.path("name").asString("")));
        }
        return licences;
    }

    /** Returns a copy with one more component. */
    Sbom with(String type, String name, String version, String purl, String licence) {
        var copy = document.deepCopy();
        var component = copy.withArray("components").addObject();
        component.put("type", type).put("bom-ref", purl).put("name", name).put("version", version);
        component.putArray("licenses").addObject().put("expression", licence);
        component.put("purl", purl);
        return new Sbom(copy);
    }

    String text() {
        return JSON.writeValueAsString(document) + "\n";
    }
}
