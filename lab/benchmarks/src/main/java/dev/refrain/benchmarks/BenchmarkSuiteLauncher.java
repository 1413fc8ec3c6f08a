package dev.refrain.benchmarks;

import dev.refrain.cli.BenchmarkLauncher;
import dev.refrain.cli.BenchmarkOptions;
import dev.refrain.cli.CommandFailedException;
import dev.refrain.gateway.Gateway;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Runs the {@link BenchmarkSuite} for {@code refrain bench}. */
public final class BenchmarkSuiteLauncher implements BenchmarkLauncher {

    @Override
    public int run(BenchmarkOptions request, PrintWriter out) {
        if (request.store().isPresent()) {
            compareStore(request.store().get(), request.quick(), out);
            return 0;
        }
        var unknown = request.only().stream()
                .filter(name -> !BenchmarkSuite.names().contains(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw CommandFailedException.usage("There is no measurement '" + unknown.getFirst() + "'; there are "
                    + String.join(", ", BenchmarkSuite.names()) + ".");
        }
        var report = suite(request).run(System.err);
        report.print(out);
        request.json().ifPresent(file -> write(report, file));
        return report.passes() || !request.check() ? 0 : 1;
    }

    private static void compareStore(String url, boolean quick, PrintWriter out) {
        try {
            var benchmark = StoreBenchmark.of(quick, out);
            if (url.equals(BenchmarkOptions.ALL_STORES)) {
                BundledStores.measureEach(benchmark::measure);
            } else {
                var environment = System.getenv();
                benchmark.measure(StoreLocation.of(url)
                        .login(
                                environment.getOrDefault(Gateway.STORE_USER, ""),
                                environment.getOrDefault(Gateway.STORE_PASSWORD, "")));
            }
        } catch (StoreException | IllegalArgumentException e) {
            throw CommandFailedException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private static BenchmarkSuite suite(BenchmarkOptions request) {
        var suite = request.quick() ? BenchmarkSuite.quick() : BenchmarkSuite.full();
        var chosen = request.only().isEmpty() ? suite : suite.only(request.only());
        return request.url().map(chosen::at).orElse(chosen);
    }

    private static void write(BenchmarkReport report, Path file) {
        try {
            report.writeJson(file);
        } catch (IOException e) {
            throw CommandFailedException.failed(
                    "The results could not be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
