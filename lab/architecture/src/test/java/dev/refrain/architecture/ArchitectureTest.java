package dev.refrain.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules between the modules: edges use the core, and the core uses none of them. */
class ArchitectureTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.refrain");

    @Test
    void theCoreIsSeen() {
        // Rules about no classes at all would hold, and mean nothing.
        assertThat(ALL.stream()
                        .filter(type -> type.getPackageName().startsWith("dev.refrain"))
                        .filter(in(BuildModule.CORE)))
                .hasSizeGreaterThan(10);
    }

    @Test
    void everyClassBelongsToAKnownModule() {
        assertThat(ALL.stream()
                        .filter(type -> BuildModule.of(type).isEmpty())
                        .map(type -> type.getName() + " from " + type.getSource()))
                .as("classes of a module that the enum BuildModule doesn't know yet")
                .isEmpty();
    }

    @Test
    void arrowsPointOneWay() {
        classes()
                .should(new ArchCondition<>("use only the modules that theirs may use") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        BuildModule from = BuildModule.of(type).orElseThrow();
                        type.getDirectDependenciesFromSelf()
                                .forEach(dependency -> BuildModule.of(
                                                dependency.getTargetClass().getBaseComponentType())
                                        .filter(to -> !from.mayUse(to))
                                        .ifPresent(to -> events.add(SimpleConditionEvent.violated(
                                                type,
                                                from + " may not use " + to + ": " + dependency.getDescription()))));
                    }
                })
                .check(ALL);
    }

    @Test
    void productDoesNotUseTheLaboratory() {
        classes()
                .that(are("in the product", type -> !isLaboratory(type)))
                .should()
                .onlyDependOnClassesThat(are("outside the laboratory", type -> !isLaboratory(type)))
                .check(ALL);
        assertThat(BuildModule.values())
                .filteredOn(module -> !module.isLaboratory())
                .allSatisfy(module -> assertThat(BuildModule.values())
                        .filteredOn(BuildModule::isLaboratory)
                        .noneMatch(module::mayUse));
    }

    /** A class file shows no dependency that is only declared, so the POMs are read as well. */
    @Test
    void productDeclaresTheLaboratoryForTestsOnly() throws Exception {
        for (var module : BuildModule.values()) {
            if (!module.isLaboratory()) {
                assertThat(PomFile.of(module.folder()).dependenciesOutsideTests())
                        .as("dependencies of %s", module.folder())
                        .doesNotContainAnyElementsOf(Stream.of(BuildModule.values())
                                .filter(BuildModule::isLaboratory)
                                .map(BuildModule::artifact)
                                .toList());
            }
        }
    }

    @Test
    void laboratoryIsNotPublished() throws Exception {
        for (var module : BuildModule.values()) {
            assertThat(PomFile.of(module.folder()).isPublished())
                    .as(module.folder())
                    .isEqualTo(!module.isLaboratory() && module != BuildModule.EXAMPLE_SPRING);
        }
        assertThat(PomFile.of("lab/architecture").isPublished()).isFalse();
    }

    @Test
    void modulesAreListedInTheOrderOfTheBuild() throws Exception {
        assertThat(PomFile.of("").modules())
                .filteredOn(folder -> !folder.equals("lab/architecture"))
                .containsExactlyElementsOf(
                        Stream.of(BuildModule.values()).map(BuildModule::folder).toList());
    }

    @Test
    void theCoreKnowsNoDatabaseAndNoFramework() {
        noClasses()
                .that(in(BuildModule.CORE))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "java.sql..",
                        "javax.sql..",
                        "org.springframework..",
                        "jakarta..",
                        "com.zaxxer..",
                        "org.postgresql..",
                        "org.sqlite.."))
                .check(ALL);
    }

    @Test
    void noJsonLibraryIsOnTheCoresApi() {
        classes()
                .that(in(BuildModule.CORE))
                .should(new ArchCondition<>("not show a JSON library to their users") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        shownTypes(type)
                                .filter(ArchitectureTest::isJsonLibrary)
                                .forEach(shown -> events.add(SimpleConditionEvent.violated(
                                        type, type.getName() + " shows " + shown.getName())));
                    }
                })
                .check(ALL);
    }

    @Test
    void onlyItsTwoCodecsKnowAJsonLibrary() {
        noClasses()
                .that(in(BuildModule.CORE))
                .and()
                .doNotHaveFullyQualifiedName("dev.refrain.Jackson2ValueCodec")
                .and()
                .doNotHaveFullyQualifiedName("dev.refrain.Jackson3ValueCodec")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "tools.jackson..", "com.fasterxml..", "com.google.gson..", "jakarta.json..", "org.json.."))
                .check(ALL);
    }

    @Test
    void noMethodOfTheApiTakesAnOptional() {
        classes()
                .that(in(BuildModule.CORE))
                .and()
                .resideInAnyPackage("dev.refrain", "dev.refrain.api", "dev.refrain.observe", "dev.refrain.phase")
                .should(new ArchCondition<>("take plain values, and return an Optional at most") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        type.getMethods().stream()
                                .filter(method -> type.getModifiers().contains(JavaModifier.PUBLIC)
                                        && isShown(method.getModifiers())
                                        && !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                                .filter(method -> method.getRawParameterTypes().stream()
                                        .anyMatch(
                                                parameter -> parameter.getName().startsWith("java.util.Optional")))
                                .forEach(method -> events.add(SimpleConditionEvent.violated(
                                        type, method.getFullName() + " takes an Optional")));
                    }
                })
                .check(ALL);
    }

    @Test
    void internalPackagesStayInTheirModule() {
        classes()
                .that(areOfTheProduct())
                .should(new ArchCondition<>("not use another module's internal packages") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(dependency ->
                                        isInternal(dependency.getTargetClass().getBaseComponentType()))
                                .filter(dependency -> !BuildModule.of(type)
                                        .equals(BuildModule.of(
                                                dependency.getTargetClass().getBaseComponentType())))
                                .forEach(dependency ->
                                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
                    }
                })
                .check(ALL);
    }

    // The engine of the JDBC stores is one knot of packages still; whoever cuts it takes the exception away.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STORE_JDBC")
    void packagesOfAModuleDependOnEachOtherInOneDirection(BuildModule module) {
        slices().matching("(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(ALL.that(in(module)));
    }

    @Test
    void packagesOfTheGatewayHaveNoCycle() {
        slices().matching("dev.refrain.gateway.(**)..")
                .should()
                .beFreeOfCycles()
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.refrain.gateway.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.refrain.gateway")
                .check(ALL);
    }

    @Test
    void noPackageIsADumpingGround() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        "..util..", "..utils..", "..common..", "..helper..", "..helpers..", "..impl..", "..misc..")
                .check(ALL);
    }

    @Test
    void noPackageIsSpreadOverModules() {
        var modulesByPackage = ALL.stream()
                .collect(Collectors.groupingBy(
                        JavaClass::getPackageName, Collectors.mapping(BuildModule::of, Collectors.toSet())));
        assertThat(modulesByPackage)
                .allSatisfy((name, modules) ->
                        assertThat(modules).as("modules that hold %s", name).hasSize(1));
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> unmarked = ALL.stream()
                .filter(type -> !type.getPackage().isAnnotatedWith(NullMarked.class))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unmarked)
                .as("packages without a @NullMarked package-info.java")
                .isEmpty();
    }

    private static boolean isLaboratory(JavaClass type) {
        return BuildModule.of(type.getBaseComponentType())
                .filter(BuildModule::isLaboratory)
                .isPresent();
    }

    private static DescribedPredicate<JavaClass> are(String description, Predicate<JavaClass> predicate) {
        return describe("are " + description, predicate);
    }

    private static DescribedPredicate<JavaClass> in(BuildModule module) {
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

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().startsWith("dev.refrain.")
                && type.getPackageName().contains(".internal");
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
