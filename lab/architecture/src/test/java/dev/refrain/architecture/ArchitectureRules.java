package dev.refrain.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** Rules between modules and packages. {@link ArchitectureTest} applies them, {@link PlantedViolationTest} shows that each can fail. */
final class ArchitectureRules {

    /**
     * Modules that may use internal packages of another one: they are released together with it, and what they need there is no business
     * of users. Decision 0015 says why for each.
     */
    private static final Map<String, Set<BuildModule>> FRIENDS = Map.of(
            "dev.refrain.internal.json",
            Set.of(BuildModule.HTTP, BuildModule.HTTP_SERVLET),
            "dev.refrain.http.internal",
            Set.of(
                    BuildModule.HTTP_SERVLET,
                    BuildModule.SPRING,
                    BuildModule.SPRING_BOOT3,
                    BuildModule.GATEWAY,
                    BuildModule.CONSOLE,
                    BuildModule.CLI),
            "dev.refrain.gateway.internal",
            Set.of(BuildModule.CLI));

    static final ArchRule DEPENDENCIES_AS_ALLOWED = classes()
            .should(violate("use only the modules that theirs may use", type -> {
                BuildModule from = BuildModule.of(type).orElseThrow();
                return type.getDirectDependenciesFromSelf().stream()
                        .flatMap(dependency -> BuildModule.of(target(dependency)).stream()
                                .filter(to -> !from.mayUse(to))
                                .map(to -> from + " may not use " + to + ": " + dependency.getDescription()));
            }));

    static final ArchRule PRODUCT_WITHOUT_LABORATORY = classes()
            .that(describe("are in the product", type -> !isLaboratory(type)))
            .should()
            .onlyDependOnClassesThat(describe("are outside the laboratory", type -> !isLaboratory(type)));

    static final ArchRule CORE_WITHOUT_DATABASE_OR_FRAMEWORK = noClasses()
            .that(in(BuildModule.CORE))
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "java.sql..",
                    "javax.sql..",
                    "org.springframework..",
                    "jakarta..",
                    "com.zaxxer..",
                    "org.postgresql..",
                    "org.sqlite.."));

    static final ArchRule NO_JSON_LIBRARY_IN_CORE_API = classes()
            .that(in(BuildModule.CORE))
            .should(violate(
                    "not show a JSON library to their users",
                    type -> shownTypes(type)
                            .filter(ArchitectureRules::isJsonLibrary)
                            .map(shown -> type.getName() + " shows " + shown.getName())));

    static final ArchRule JSON_LIBRARY_IN_CODECS_ONLY = noClasses()
            .that(in(BuildModule.CORE))
            .and()
            .doNotHaveFullyQualifiedName("dev.refrain.Jackson2ValueCodec")
            .and()
            .doNotHaveFullyQualifiedName("dev.refrain.Jackson3ValueCodec")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "tools.jackson..", "com.fasterxml..", "com.google.gson..", "jakarta.json..", "org.json.."));

    /** The components of a record are its data: its canonical constructor takes what its accessors return. */
    static final ArchRule NO_OPTIONAL_PARAMETERS = classes()
            .that(areOfTheProduct())
            .and(describe("are public API", ArchitectureRules::isPublicApi))
            .should(violate(
                    "take plain values, and return an Optional at most",
                    type -> type.getCodeUnits().stream()
                            .filter(unit -> isShown(unit.getModifiers()))
                            .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
                            .filter(unit -> !isCanonicalConstructor(unit))
                            .filter(unit -> unit.getRawParameterTypes().stream()
                                    .anyMatch(parameter -> parameter.getName().startsWith("java.util.Optional")))
                            .map(unit -> unit.getFullName() + " takes an Optional")));

    static final ArchRule INTERNAL_PACKAGES_STAY_INTERNAL = classes()
            .that(areOfTheProduct())
            .should(violate(
                    "not use another module's internal packages",
                    type -> type.getDirectDependenciesFromSelf().stream()
                            .filter(dependency -> isInternal(target(dependency)))
                            .filter(dependency -> !mayUseInternals(type, target(dependency)))
                            .map(Dependency::getDescription)));

    static final ArchRule NO_CYCLES =
            slices().matching("(**)").should().beFreeOfCycles().allowEmptyShould(true);

    static final ArchRule JDBC_ENGINE_BELOW_ITS_PUBLIC_TYPES = noClasses()
            .that()
            .resideInAPackage("dev.refrain.store.jdbc.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.refrain.store.jdbc");

    /** Leases and retention are judged by the clock of the server, at the moment of the statement. A replay cache may only refuse an entry earlier by its own (decision 0036). */
    static final ArchRule SERVERS_OF_STORES_HAVE_THE_CLOCK = noClasses()
            .that()
            .resideInAnyPackage("dev.refrain.store.jdbc..", "dev.refrain.store.redis..")
            .and()
            .doNotHaveFullyQualifiedName("dev.refrain.store.redis.ReplayCachingStore")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(InstantSource.class, "system");

    static final ArchRule GATEWAY_PARTS_BELOW_THE_GATEWAY = noClasses()
            .that()
            .resideInAPackage("dev.refrain.gateway.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.refrain.gateway");

    static final ArchRule NO_DUMPING_GROUNDS = noClasses()
            .should()
            .resideInAnyPackage(
                    "..util..", "..utils..", "..common..", "..helper..", "..helpers..", "..impl..", "..misc..");

    static final ArchRule PACKAGES_ARE_NULL_MARKED = classes()
            .should(violate(
                    "be in a package with a @NullMarked package-info.java",
                    type -> Stream.of(type)
                            .filter(one -> !one.getPackage().isAnnotatedWith(NullMarked.class))
                            .map(one ->
                                    one.getName() + " is in " + one.getPackageName() + ", which is not @NullMarked")));

    private ArchitectureRules() {}

    static DescribedPredicate<JavaClass> in(BuildModule module) {
        return describe(
                "are in " + module,
                type -> BuildModule.of(type).filter(module::equals).isPresent());
    }

    /** The laboratory is never deployed: it may measure and simulate parts of the engine. */
    private static DescribedPredicate<JavaClass> areOfTheProduct() {
        return describe(
                "are of the product",
                type -> BuildModule.of(type)
                        .filter(module -> !module.isLaboratory())
                        .isPresent());
    }

    private static ArchCondition<JavaClass> violate(
            String description, Function<JavaClass, Stream<String>> violations) {
        return new ArchCondition<>(description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                violations.apply(type).forEach(found -> events.add(SimpleConditionEvent.violated(type, found)));
            }
        };
    }

    private static JavaClass target(Dependency dependency) {
        return dependency.getTargetClass().getBaseComponentType();
    }

    private static boolean isLaboratory(JavaClass type) {
        return BuildModule.of(type.getBaseComponentType())
                .filter(BuildModule::isLaboratory)
                .isPresent();
    }

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().startsWith("dev.refrain.")
                && type.getPackageName().contains(".internal");
    }

    private static boolean mayUseInternals(JavaClass type, JavaClass internal) {
        var from = BuildModule.of(type).orElseThrow();
        return BuildModule.of(internal).filter(from::equals).isPresent()
                || FRIENDS.entrySet().stream()
                        .anyMatch(friends -> (internal.getPackageName() + ".").startsWith(friends.getKey() + ".")
                                && friends.getValue().contains(from));
    }

    private static boolean isPublicApi(JavaClass type) {
        return !isInternal(type)
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureRules::isPublicApi).orElse(true);
    }

    private static boolean isCanonicalConstructor(JavaCodeUnit unit) {
        return unit instanceof JavaConstructor
                && unit.getOwner().isRecord()
                && unit.getRawParameterTypes().size()
                        == unit.getOwner().getFields().stream()
                                .filter(Predicate.not(
                                        field -> field.getModifiers().contains(JavaModifier.STATIC)))
                                .count();
    }

    private static boolean isJsonLibrary(JavaClass type) {
        return Stream.of("tools.jackson.", "com.fasterxml.", "org.erdtman.")
                .anyMatch(type.getPackageName().concat(".")::startsWith);
    }

    /** Returns the types that users of a class see: those of its public and protected members, and its supertypes. */
    private static Stream<JavaClass> shownTypes(JavaClass type) {
        if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
            return Stream.empty();
        }
        Stream<JavaClass> ofFields = type.getFields().stream()
                .filter(field -> isShown(field.getModifiers()))
                .map(JavaField::getAllInvolvedRawTypes)
                .flatMap(Set::stream);
        Stream<JavaClass> ofMethods = type.getCodeUnits().stream()
                .filter(unit -> isShown(unit.getModifiers()))
                .map(JavaCodeUnit::getAllInvolvedRawTypes)
                .flatMap(Set::stream);
        return Stream.of(
                        ofFields, ofMethods, type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
                .flatMap(types -> types);
    }

    private static boolean isShown(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }
}
