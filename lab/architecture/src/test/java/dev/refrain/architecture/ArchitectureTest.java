package dev.refrain.architecture;

import static dev.refrain.architecture.ArchitectureRules.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules between the modules: edges use the core, and the core uses none of them. */
class ArchitectureTest {

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.refrain");

    /** The starter for Boot 3.5: its classes have the names of those of the other starter, and are not on this class path. */
    private static final JavaClasses BOOT3 =
            new ClassFileImporter().importPath(Path.of("../../spring/boot3/target/classes"));

    @Test
    void starterForBoot3KeepsTheRules() {
        assertThat(BOOT3).hasSizeGreaterThan(50).allMatch(in(BuildModule.SPRING_BOOT3));
        for (var rule : List.of(
                ArchitectureRules.PRODUCT_WITHOUT_LABORATORY,
                ArchitectureRules.NO_OPTIONAL_PARAMETERS,
                ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL,
                ArchitectureRules.NO_CYCLES,
                ArchitectureRules.NO_DUMPING_GROUNDS,
                ArchitectureRules.PACKAGES_ARE_NULL_MARKED)) {
            rule.check(BOOT3);
        }
    }

    @Test
    void startersForBothGenerationsHaveTheSamePublicClasses() {
        assertThat(publicNames(BOOT3)).isEqualTo(publicNames(ALL.that(in(BuildModule.SPRING))));
    }

    private static Set<String> publicNames(JavaClasses classes) {
        return classes.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void coreClassesAreImported() {
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
        ArchitectureRules.DEPENDENCIES_AS_ALLOWED.check(ALL);
    }

    @Test
    void productDoesNotUseTheLaboratory() {
        ArchitectureRules.PRODUCT_WITHOUT_LABORATORY.check(ALL);
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
    void laboratoryAndExamplesAreNotPublished() throws Exception {
        for (var module : BuildModule.values()) {
            assertThat(PomFile.of(module.folder()).isPublished())
                    .as(module.folder())
                    .isEqualTo(module.isReleased());
        }
        assertThat(PomFile.of("lab/architecture").isPublished()).isFalse();
        assertThat(PomFile.of("lab/release").isPublished()).isFalse();
        assertThat(PomFile.of("lab/packager").isPublished()).isFalse();
        assertThat(PomFile.of("dist").isPublished()).isFalse();
    }

    @Test
    void billOfMaterialsListsEveryReleasedModule() throws Exception {
        var released = Stream.of(BuildModule.values())
                .filter(BuildModule::isReleased)
                .map(BuildModule::artifact)
                .toList();

        assertThat(PomFile.of("bom").managedArtifacts()).containsExactlyInAnyOrderElementsOf(released);
        // The bundle is gathered after them.
        assertThat(PomFile.of("lab/release").dependenciesOutsideTests())
                .filteredOn(artifact -> !artifact.equals("refrain-bom"))
                .containsExactlyInAnyOrderElementsOf(released);
    }

    @Test
    void modulesAreListedInTheOrderOfTheBuild() throws Exception {
        assertThat(PomFile.of("").modules())
                .filteredOn(folder -> !folder.equals("lab/architecture") && !folder.equals("bom"))
                .containsExactlyElementsOf(
                        Stream.of(BuildModule.values()).map(BuildModule::folder).toList());
    }

    @Test
    void coreKnowsNoDatabaseAndNoFramework() {
        ArchitectureRules.CORE_WITHOUT_DATABASE_OR_FRAMEWORK.check(ALL);
    }

    @Test
    void noJsonLibraryIsOnTheCoresApi() {
        ArchitectureRules.NO_JSON_LIBRARY_IN_CORE_API.check(ALL);
    }

    @Test
    void onlyItsTwoCodecsKnowAJsonLibrary() {
        ArchitectureRules.JSON_LIBRARY_IN_CODECS_ONLY.check(ALL);
    }

    @Test
    void noMethodOfTheApiTakesAnOptional() {
        ArchitectureRules.NO_OPTIONAL_PARAMETERS.check(ALL);
    }

    @Test
    void internalPackagesStayInTheirModule() {
        ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL.check(ALL);
    }

    @ParameterizedTest
    @EnumSource
    void packagesOfAModuleDependOnEachOtherInOneDirection(BuildModule module) {
        ArchitectureRules.NO_CYCLES.check(ALL.that(in(module)));
    }

    @Test
    void engineOfTheJdbcStoresKnowsNothingOfItsPublicTypes() {
        ArchitectureRules.JDBC_ENGINE_BELOW_ITS_PUBLIC_TYPES.check(ALL);
    }

    @Test
    void storesOnServersKnowNoClockButThatOfTheServer() {
        ArchitectureRules.SERVERS_OF_STORES_HAVE_THE_CLOCK.check(ALL);
    }

    @Test
    void partsOfTheGatewayKnowNothingOfTheGateway() {
        ArchitectureRules.GATEWAY_PARTS_BELOW_THE_GATEWAY.check(ALL);
    }

    @Test
    void noPackageIsADumpingGround() {
        ArchitectureRules.NO_DUMPING_GROUNDS.check(ALL);
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
        ArchitectureRules.PACKAGES_ARE_NULL_MARKED.check(ALL);
    }
}
