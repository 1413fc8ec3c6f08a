package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RefrainSettings;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.ReplayPolicy;
import dev.refrain.http.RequestBodyPolicy;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.internal.settings.RouteSettings;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainProperties;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

/**
 * One setting has one name: in the annotation, in Spring's properties, in the gateway's YAML, on the command line and in Java. Properties and YAML of a route are one record,
 * {@link RouteSettings}; the others are compared with it. What differs is listed here with its reason, and nothing else may.
 */
class SettingNamesTest {

    /** Attributes of {@link Idempotent} that no route has. */
    private static final Map<String, String> ONLY_IN_THE_ANNOTATION = Map.of(
            "key", "an expression over the arguments of a method that is no handler",
            "scope", "the same; handlers have the property refrain.scope");

    /** Properties of {@code refrain.http} that a single route cannot have. */
    private static final Map<String, String> ONLY_FOR_ALL_ROUTES = Map.of(
            "basePath", "the pages of the contract and the status of keys are one for all routes",
            "filterOrder", "there is one filter",
            "logKeys", "log lines show keys in one way; the gateway has it as gateway.log-keys");

    /** Settings of the gateway's section {@code refrain} that the starter does not have. */
    private static final Map<String, String> ONLY_IN_THE_GATEWAY = Map.of(
            "namespace", "gateways before several APIs may share a store; an application has one API",
            "basePath", "refrain.http.base-path in the starter, whose other endpoints have paths of their own");

    /** Names of Java that differ from those of the settings. */
    private static final Map<String, String> IN_JAVA = Map.ofEntries(
            Map.entry("match", "Route.of(…)"),
            Map.entry("operation", "Route.named(…)"),
            Map.entry("store", "the Refrain of that store"),
            Map.entry("keyRequirement", "KeyPolicy.requirement"),
            Map.entry("keySources", "KeyPolicy.sources"),
            Map.entry("keySyntax", "KeyPolicy.syntax"),
            Map.entry("minKeyBytes", "KeyPolicy.rules"),
            Map.entry("maxKeyBytes", "KeyPolicy.rules"),
            Map.entry("keyPattern", "KeyPolicy.rules"),
            Map.entry("markReplays", "RoutePolicy.marksReplays"),
            Map.entry("ignoredFields", "RequestBodyPolicy.fingerprint"),
            Map.entry("keepRequest", "KeptRequestPolicy.rule"),
            Map.entry("maxKeptRequestBytes", "KeptRequestPolicy.maxBytes"),
            Map.entry("keptRequestHeaders", "KeptRequestPolicy.headers"));

    /** Options of the command line that are no settings, or not by this name. */
    private static final Map<String, String> ONLY_ON_THE_COMMAND_LINE = Map.ofEntries(
            Map.entry("config", "the file of all settings"),
            Map.entry("checkConfig", "what to do with it"),
            Map.entry("live", "which question to ask of a running gateway"),
            Map.entry("user", "of the database, as psql and mysql ask for it; a DataSource has it elsewhere"),
            Map.entry("askPassword", "has it asked for, so that it is in no list of processes"),
            Map.entry("optionalKey", "an expectation of an API that may know nothing of Refrain's settings"),
            Map.entry("bareKeys", "the same"),
            Map.entry("expectStatus", "the same"),
            Map.entry("effects", "the same"),
            Map.entry("id", "the same"));

    @Test
    void attributesOfTheAnnotationAreSettingsOfARoute() {
        var attributes = Arrays.stream(Idempotent.class.getDeclaredMethods()).map(Method::getName);

        assertDiffers(attributes, components(RouteSettings.class), ONLY_IN_THE_ANNOTATION.keySet());
    }

    @Test
    void propertiesForAllRoutesAreSettingsOfARoute() {
        assertDiffers(
                components(RefrainProperties.Http.class).stream(),
                components(RouteSettings.class),
                ONLY_FOR_ALL_ROUTES.keySet());
    }

    @Test
    void settingsOfTheGatewayAreThoseOfTheStarter() throws Exception {
        String raw = "dev.refrain.gateway.internal.config.RawConfig$";
        assertDiffers(
                nested(Class.forName(raw + "Refrain")),
                nestedNames(RefrainProperties.class),
                ONLY_IN_THE_GATEWAY.keySet());
    }

    @Test
    void settingsOfARouteHaveTheirNamesInJava() {
        var java = Stream.of(
                        RoutePolicy.class,
                        KeyPolicy.class,
                        HandlerRunPolicy.class,
                        ReplayPolicy.class,
                        RequestBodyPolicy.class,
                        KeptRequestPolicy.class)
                .collect(Collectors.toMap(Class::getSimpleName, SettingNamesTest::components));
        var names = java.values().stream().flatMap(Set::stream).collect(Collectors.toSet());

        assertDiffers(components(RouteSettings.class).stream(), names, IN_JAVA.keySet());
        assertThat(IN_JAVA.values().stream().filter(name -> name.contains("Policy.")))
                .allSatisfy(name -> assertThat(java.get(name.split("\\.")[0])).contains(name.split("\\.")[1]));
    }

    @Test
    void propertiesOfAnInstanceHaveTheirNamesInJava() {
        assertThat(components(RefrainSettings.class))
                .contains("maxKeysPerScope", "instanceName", "maintenance", "outcomeCache", "waiterLimits");
        assertThat(components(RefrainSettings.MaintenanceSchedule.class))
                .containsAll(components(RefrainProperties.Maintenance.class));
        assertThat(components(RefrainSettings.CacheSettings.class))
                .containsAll(components(RefrainProperties.Cache.class));
        assertThat(components(RefrainSettings.WaiterLimits.class))
                .containsAll(components(RefrainProperties.Waiters.class));
    }

    @Test
    void optionsOfTheCommandLineHaveTheNamesOfTheSettings() throws Exception {
        var options = new ArrayList<String>();
        for (String type :
                List.of("GatewayCommand", "GatewayHealthCommand", "StoreOptions", "VerifyExpectationOptions")) {
            for (var field : Class.forName("dev.refrain.cli." + type).getDeclaredFields()) {
                if (field.isAnnotationPresent(Option.class)) {
                    options.add(inCamelCase(field.getAnnotation(Option.class).names()[0]));
                }
            }
        }
        var settings = Stream.of(
                        nested(Class.forName("dev.refrain.gateway.internal.config.RawConfig$Gateway")),
                        nested(RefrainProperties.class),
                        components(RouteSettings.class).stream())
                .flatMap(names -> names)
                .flatMap(name -> Stream.of(inCamelCase(name), name.substring(name.lastIndexOf('.') + 1)))
                .collect(Collectors.toSet());

        assertThat(options).hasSizeGreaterThan(15);
        assertDiffers(options.stream(), settings, ONLY_ON_THE_COMMAND_LINE.keySet());
    }

    /** Returns the name of a setting for {@code --encryption-keys} and for {@code encryption.keys}. */
    private static String inCamelCase(String name) {
        return Pattern.compile("[-.](\\w)")
                .matcher(name.replaceFirst("^--", ""))
                .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
    }

    private static void assertDiffers(Stream<String> names, Set<String> known, Set<String> allowed) {
        var unknown = names.filter(name -> !known.contains(name)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(unknown).containsExactlyInAnyOrderElementsOf(allowed);
    }

    private static Set<String> components(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
    }

    private static Set<String> nestedNames(Class<?> record) {
        return nested(record).collect(Collectors.toSet());
    }

    /** Returns the names of a record's components, and of the records in it that are its own, as in {@code store.schema}. */
    private static Stream<String> nested(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .flatMap(component -> component.getType().isRecord()
                                && record.getName().startsWith(outer(component.getType()))
                        ? Stream.concat(
                                Stream.of(component.getName()),
                                components(component.getType()).stream().map(name -> component.getName() + "." + name))
                        : Stream.of(component.getName()));
    }

    private static String outer(Class<?> type) {
        return type.getEnclosingClass() == null
                ? type.getName() + "$"
                : type.getEnclosingClass().getName();
    }
}
