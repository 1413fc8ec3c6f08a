import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Has Gradle's engine resolve the class paths of a project with the dependencies of some scripts, from the repository of README.md and Maven
 * Central. The compile class path is written to the file {@code class-path} of the project.
 *
 * <p>The scripts are not evaluated, which takes the {@code gradle} command: the lines in them are read here.
 *
 * <p>Run as a source file with the engine: {@code java -cp … GradleConsumer.java PROJECT CACHE SCRIPT…}, by {@code .ci/check-gradle}.
 */
public final class GradleConsumer {

    private static final Pattern DEPENDENCY = Pattern.compile("implementation\\((platform\\()?\"([^\"]+)\"\\)?\\)( *//.*)?");

    private GradleConsumer() {}

    public static void main(String[] args) {
        try {
            resolve(args);
            System.exit(0); // the engine's threads go on
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static void resolve(String[] args) throws Exception {
        var project = ProjectBuilder.builder()
                .withProjectDir(new File(args[0]))
                .withGradleUserHomeDir(new File(args[1]))
                .build();
        project.getPluginManager().apply("java");
        project.getRepositories()
                .maven(repository -> repository.setUrl(
                        Path.of(System.getProperty("user.home"), "refrain-repository").toUri()));
        project.getRepositories().mavenCentral();
        for (String script : List.of(args).subList(2, args.length)) {
            addDependencies(project, Files.readString(Path.of(script)));
        }
        int run = project.getConfigurations().getByName("runtimeClasspath").getFiles().size();
        var compile = project.getConfigurations().getByName("compileClasspath").getFiles();
        Files.writeString(
                Path.of(args[0], "class-path"),
                compile.stream().map(File::getPath).collect(Collectors.joining(File.pathSeparator)));
        System.out.printf("Gradle %s: %d jars to compile, %d to run%n", project.getGradle().getGradleVersion(), compile.size(), run);
    }

    private static void addDependencies(Project project, String script) {
        for (String line : script.lines().map(String::strip).toList()) {
            var dependency = DEPENDENCY.matcher(line);
            if (dependency.matches()) {
                var coordinates = dependency.group(2);
                project.getDependencies()
                        .add("implementation", dependency.group(1) == null ? coordinates : project.getDependencies().platform(coordinates));
            } else if (!line.isEmpty() && !line.startsWith("//") && !line.equals("dependencies {") && !line.equals("}")) {
                throw new IllegalArgumentException("Not a line that this check knows: " + line);
            }
        }
    }
}
