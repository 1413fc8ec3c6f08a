package dev.refrain.architecture;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compiles sources that are texts, with the class path of the tests. */
final class SourceCompiler {

    private SourceCompiler() {}

    /**
     * Compiles sources into a folder.
     *
     * @return the errors
     */
    static List<String> compile(List<SourceText> sources, Path classes) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        problems,
                        List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp", classPath()),
                        null,
                        sources)
                .call();
        return problems.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> problem.getSource().getName() + ", line " + problem.getLineNumber() + ": "
                        + problem.getMessage(Locale.ROOT))
                .toList();
    }

    /**
     * Compiles Kotlin files into a folder.
     *
     * @return the errors
     */
    static List<String> compileKotlin(List<Path> files, Path classes) {
        var printed = new ByteArrayOutputStream();
        var arguments = new ArrayList<>(List.of(
                "-no-stdlib",
                "-no-reflect",
                "-nowarn",
                "-jvm-target",
                "21",
                "-d",
                classes.toString(),
                "-classpath",
                classPath()));
        files.forEach(file -> arguments.add(file.toString()));
        var code = new K2JVMCompiler()
                .exec(new PrintStream(printed, true, StandardCharsets.UTF_8), arguments.toArray(String[]::new));
        return code == ExitCode.OK ? List.of() : List.of(printed.toString(StandardCharsets.UTF_8));
    }

    /** Returns the class path of the tests. */
    static List<Path> classPathEntries() {
        return Stream.of(classPath().split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .toList();
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Source file that is no file. */
    static final class SourceText extends SimpleJavaFileObject {
        private final String code;

        /**
         * Creates a source.
         *
         * @param type the name of its type, with slashes between packages
         */
        SourceText(String type, String code) {
            super(URI.create("string:///" + type + ".java"), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
