package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.json.JsonMapper;

/** Editors know every setting, and say what it is for. */
class PropertyMetadataTest {

    @Test
    void everySettingIsDescribed() throws IOException {
        var described = new TreeMap<String, String>();
        for (var property : JsonMapper.shared()
                .readTree(new ClassPathResource(
                                "META-INF/spring-configuration-metadata.json", RefrainProperties.class.getClassLoader())
                        .getInputStream())
                .get("properties")) {
            described.put(
                    property.get("name").asString(),
                    property.path("description").asString(""));
        }

        assertThat(described)
                .containsKeys("refrain.enabled", "refrain.scope", "refrain.http.in-flight", "refrain.routes")
                .allSatisfy(
                        (name, description) -> assertThat(description).as(name).isNotBlank());
    }
}
