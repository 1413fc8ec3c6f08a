package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.internal.settings.RouteSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

/** Editors know every setting, and say what it is for. */
class PropertyMetadataTest {

    @Test
    void everySettingIsDescribed() throws IOException {
        var described = new TreeMap<String, String>();
        for (var property : metadata("properties")) {
            described.put(property.get("name").toString(), Objects.toString(property.get("description"), ""));
        }

        assertThat(described)
                .containsKeys(
                        "refrain.enabled",
                        "refrain.scope",
                        "refrain.http.in-flight",
                        "refrain.routes",
                        "refrain.stores")
                .allSatisfy(
                        (name, description) -> assertThat(description).as(name).isNotBlank());
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> metadata(String name) throws IOException {
        try (var file = new ClassPathResource(
                        "META-INF/spring-configuration-metadata.json", RefrainProperties.class.getClassLoader())
                .getInputStream()) {
            var all =
                    JsonParserFactory.getJsonParser().parseMap(new String(file.readAllBytes(), StandardCharsets.UTF_8));
            return (List<Map<String, Object>>) all.get(name);
        }
    }

    /** Every setting that takes one of a few words says which: an editor offers them, with what each means. */
    @Test
    void settingsWithFewValuesOfferThem() throws IOException {
        var offered = new TreeMap<String, Set<String>>();
        for (var hint : metadata("hints")) {
            var values = new TreeSet<String>();
            for (var value : (List<?>) hint.getOrDefault("values", List.of())) {
                var described = (Map<?, ?>) value;
                assertThat(Objects.toString(described.get("description"), ""))
                        .as("%s", value)
                        .isNotBlank();
                values.add(described.get("value").toString());
            }
            offered.put(hint.get("name").toString(), values);
        }
        assertThat(offered)
                .containsEntry("refrain.scope", Set.of("principal", "shared"))
                .containsEntry("refrain.store.connections", Set.of("auto", "shared", "separate"))
                .containsEntry("refrain.outgoing.inside-transaction", Set.of("refuse", "warn"))
                .containsEntry("refrain.http.key-syntax", Set.of("lenient", "strict"))
                .containsEntry("refrain.http.log-keys", Set.of("shortened", "full", "off"))
                .containsEntry("refrain.http.keep-request", Set.of("never", "encrypted", "always"))
                .containsKeys("refrain.http.in-flight", "refrain.http.retention", "refrain.store.data-source");
        assertThat(offered.get("refrain.http.key-requirement"))
                .isEqualTo(Stream.of(Idempotent.Requirement.values())
                        .filter(each -> each != Idempotent.Requirement.AS_CONFIGURED)
                        .map(PropertyMetadataTest::asSetting)
                        .collect(Collectors.toSet()));
        assertThat(offered.get("refrain.http.profile"))
                .isEqualTo(Stream.of(Idempotent.Profile.values())
                        .filter(each -> each != Idempotent.Profile.AS_CONFIGURED)
                        .map(PropertyMetadataTest::asSetting)
                        .collect(Collectors.toSet()));
    }

    /**
     * Hints cannot name settings of a map's values, so editors look at the types: a setting of a route that offers its words for all routes is
     * an enum of these words.
     */
    @Test
    void settingsOfARouteOfferTheWordsOfThoseForAllRoutes() throws IOException {
        assertThat(metadata("properties"))
                .anySatisfy(property -> assertThat(property)
                        .containsEntry("name", "refrain.routes")
                        .containsEntry(
                                "type", "java.util.Map<java.lang.String," + RouteSettings.class.getName() + ">"));
        var ofRoutes = new TreeMap<String, Class<?>>();
        for (var setting : RouteSettings.class.getRecordComponents()) {
            ofRoutes.put("refrain.http." + kebab(setting.getName()), setting.getType());
        }
        int compared = 0;
        for (var hint : metadata("hints")) {
            var type = ofRoutes.get(hint.get("name").toString());
            // Where a provider takes any value, the words are examples.
            if (type != null && !hint.containsKey("providers")) {
                assertThat(type.isEnum()).as("%s", hint.get("name")).isTrue();
                assertThat(Stream.of(type.getEnumConstants()).map(Object::toString))
                        .containsExactlyInAnyOrderElementsOf(((List<?>) hint.get("values"))
                                .stream()
                                        .map(value ->
                                                ((Map<?, ?>) value).get("value").toString())
                                        .toList());
                compared++;
            }
        }
        assertThat(compared).isEqualTo(4);
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** A hint for a setting that does not exist would never be seen. */
    @Test
    void everyHintBelongsToASetting() throws IOException {
        var settings = new TreeSet<String>();
        metadata("properties")
                .forEach(property -> settings.add(property.get("name").toString()));

        metadata("hints")
                .forEach(hint -> assertThat(settings)
                        .contains(hint.get("name").toString().replaceAll("[.]keys$", "")));
    }

    private static String asSetting(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
