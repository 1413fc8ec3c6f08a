package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Main code stays small: no file over 400 lines, no method over 60. */
class SourceSizeTest {

    private static final int FILE = 400;
    private static final int METHOD = 60;

    @Test
    void mainFilesAndTheirMethodsStaySmall() throws IOException {
        var sources = new ArrayList<JavaFileObject>();
        for (var module : BuildModule.values()) {
            var folder = Path.of("../..", module.folder(), "src/main/java");
            if (Files.isDirectory(folder)) {
                try (var files = Files.walk(folder)) {
                    for (var file : files.filter(each -> each.toString().endsWith(".java"))
                            .toList()) {
                        sources.add(new SourceText(file.getFileName().toString(), Files.readString(file)));
                    }
                }
            }
        }

        assertThat(sources).hasSizeGreaterThan(1_000);
        assertThat(tooLong(sources)).isEmpty();
    }

    @Test
    void fileAndMethodThatAreTooLongAreReported() throws IOException {
        String body = "        System.nanoTime();\n".repeat(METHOD - 2);
        String small = "class Small {\n    void runs() {\n" + body + "    }\n}\n";
        String longMethod = small.replace("    }\n", "        System.nanoTime();\n    }\n");
        String longFile = small + "\n".repeat(FILE + 1 - small.split("\n").length) + "// The end.\n";

        assertThat(tooLong(List.of(new SourceText("Small.java", small)))).isEmpty();
        assertThat(tooLong(List.of(
                        new SourceText("LongMethod.java", longMethod), new SourceText("LongFile.java", longFile))))
                .containsExactly("LongMethod.java: 61 lines in runs", "LongFile.java: 402 lines");
    }

    private static List<String> tooLong(List<JavaFileObject> sources) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var task = (JavacTask) compiler.getTask(new StringWriter(), null, null, List.of(), null, sources);
        var positions = Trees.instance(task).getSourcePositions();
        var found = new ArrayList<String>();
        for (var unit : task.parse()) {
            String name = Path.of(unit.getSourceFile().toUri().getPath())
                    .getFileName()
                    .toString();
            long lines =
                    unit.getSourceFile().getCharContent(true).toString().lines().count();
            if (lines > FILE) {
                found.add(name + ": " + lines + " lines");
            }
            new LongMethods(unit, positions, name, found).scan(unit, null);
        }
        return found;
    }

    private static final class LongMethods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String name;
        private final List<String> found;

        private LongMethods(CompilationUnitTree unit, SourcePositions positions, String name, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.name = name;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            long from = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, method));
            long to = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, method));
            if (to - from + 1 > METHOD) {
                found.add(name + ": " + (to - from + 1) + " lines in " + method.getName());
            }
            return super.visitMethod(method, nothing);
        }
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        private SourceText(String name, String text) {
            super(URI.create("memory:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
