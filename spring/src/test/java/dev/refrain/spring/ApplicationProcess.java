package dev.refrain.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The payments application as a process of its own. */
record ApplicationProcess(Process process, int port) implements AutoCloseable {

    static ApplicationProcess start(String url) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PaymentsTestApplication.class.getName(),
                        url)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return new ApplicationProcess(process, Integer.parseInt(line.substring(5)));
            }
        }
        throw new IOException("The application did not start: exit " + process.exitValue());
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("It does not die.");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
