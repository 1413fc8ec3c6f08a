package dev.refrain.gateway.internal.config;

import dev.refrain.http.internal.settings.RouteSettings;
import dev.refrain.http.internal.settings.SettingParser;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Parses a configuration file. */
final class YamlConfigParser {

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .addModule(new SimpleModule().addDeserializer(RawConfig.Route.class, new RouteDeserializer()))
            .build();

    private YamlConfigParser() {}

    /** @throws GatewayConfigException if it is no YAML, or says what is no setting */
    static RawConfig read(String text) {
        try {
            if (text.isBlank()) {
                return new RawConfig(null, null);
            }
            var said = YAML.readValue(text, RawConfig.class);
            return said == null ? new RawConfig(null, null) : said;
        } catch (UnrecognizedPropertyException unknown) {
            throw new GatewayConfigException(
                    path(unknown) + " is not a setting. There are: " + String.join(", ", known(unknown)) + ".",
                    unknown);
        } catch (MismatchedInputException wrong) {
            throw new GatewayConfigException(
                    wrong instanceof InvalidFormatException word
                                    && word.getTargetType().isEnum()
                            ? SettingParser.notOneOf(word.getTargetType(), path(word), word.getValue())
                            : path(wrong) + " has the wrong type: it must be " + expected(wrong.getTargetType()) + ".",
                    wrong);
        } catch (JacksonException notReadable) {
            if (notReadable.getCause() instanceof GatewayConfigException wrong) {
                throw wrong;
            }
            var at = notReadable.getLocation();
            throw new GatewayConfigException(
                    (at == null ? "" : "Line " + at.getLineNr() + ": ") + notReadable.getOriginalMessage(),
                    notReadable);
        }
    }

    private static TreeSet<String> known(UnrecognizedPropertyException unknown) {
        var names = new TreeSet<String>();
        unknown.getKnownPropertyIds().forEach(name -> names.add(String.valueOf(name)));
        if (unknown.getReferringClass() == RouteSettings.class) {
            names.addAll(names(RawConfig.Upstream.class));
        }
        return names;
    }

    private static String path(JacksonException e) {
        return e.getPath().stream()
                .map(step -> step.getPropertyName() == null ? "[" + step.getIndex() + "]" : step.getPropertyName())
                .collect(Collectors.joining("."));
    }

    private static String expected(Class<?> type) {
        if (type == null) {
            return "something else";
        }
        if (type.isRecord()) {
            return "settings of their own: " + String.join(", ", names(type));
        }
        if (type.isEnum()) {
            return SettingParser.words(type);
        }
        return switch (type.getSimpleName()) {
            case "Boolean" -> "true or false";
            case "Integer" -> "a whole number";
            case "String" -> "a word";
            case "List", "Set" -> "a list";
            default -> "settings of their own";
        };
    }

    private static TreeSet<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads a route whose settings belong to two records. */
    private static final class RouteDeserializer extends StdDeserializer<RawConfig.Route> {

        RouteDeserializer() {
            super(RawConfig.Route.class);
        }

        @Override
        public RawConfig.Route deserialize(JsonParser parser, DeserializationContext context) {
            var node = context.readTree(parser);
            if (!(node instanceof ObjectNode all)) {
                return context.reportInputMismatch(RawConfig.Route.class, "not an object");
            }
            var gatewaysOwn = names(RawConfig.Upstream.class);
            var others = all.objectNode();
            var own = all.objectNode();
            for (var property : Map.copyOf(
                            all.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                    .entrySet()) {
                (gatewaysOwn.contains(property.getKey()) ? own : others).set(property.getKey(), property.getValue());
            }
            return new RawConfig.Route(
                    context.readTreeAsValue(others, RouteSettings.class),
                    context.readTreeAsValue(own, RawConfig.Upstream.class));
        }
    }
}
