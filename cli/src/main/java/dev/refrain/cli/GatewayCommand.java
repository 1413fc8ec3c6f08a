package dev.refrain.cli;

import dev.refrain.gateway.Gateway;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfig;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import dev.refrain.gateway.internal.config.GatewayConfigReloader;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain gateway}: runs the reverse proxy that adds idempotency keys to a service. */
@Command(
        name = "gateway",
        description = {
            "Add idempotency keys to any HTTP service without changing it. Runs a reverse proxy until stopped.",
            "",
            "A POST or PATCH with an Idempotency-Key reaches the service once; retries get the same response. If "
                    + "the service received a request but did not respond, its outcome is unknown: the key is held (409) "
                    + "until someone resolves it, unless the configuration says that the service honors keys itself or how "
                    + "to look the outcome up.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  refrain gateway --upstream http://localhost:3000",
            "  refrain gateway --config gateway.yaml --check-config",
            "  REFRAIN_STORE_USER=me REFRAIN_STORE_PASSWORD=… refrain gateway --config gateway.yaml \\",
            "      --store jdbc:postgresql://db:5432/keys",
            "",
            "A configuration:",
            "  gateway:",
            "    upstream: http://localhost:3000",
            "    scope:",
            "      api-key: {header: X-Api-Key}",
            "  refrain:",
            "    routes:",
            "      charges:",
            "        match: POST /v1/charges",
            "        retention: 7d",
            "All settings: docs/gateway.md"
        },
        subcommands = GatewayHealthCommand.class)
final class GatewayCommand implements Callable<Integer> {

    private static final Duration RELOAD_INTERVAL = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--upstream",
            paramLabel = "URL",
            description = "URL of the service to protect, for example http://localhost:3000.")
    private @Nullable String upstream;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "YAML file with routes and settings. Reloaded when it changes; an invalid file is reported and ignored.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            description =
                    "Address for clients (default: 8080; on this machine only without --config, on every interface with it).")
    private @Nullable String listen;

    @Option(
            names = "--admin",
            paramLabel = "[HOST:]PORT",
            description = "Address of /live, /ready and /metrics (default: 9090 on localhost); off to disable.")
    private @Nullable String admin;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "Store for keys and responses: jdbc:sqlite:FILE, jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE, redis://HOST:PORT (default: "
                            + "refrain-gateway.db in the current directory). User and password are read from REFRAIN_STORE_USER "
                            + "and REFRAIN_STORE_PASSWORD.")
    private @Nullable String store;

    @Option(
            names = "--replay-from",
            paramLabel = "URL",
            description =
                    "Redis that replays responses before the database is asked: redis://HOST:PORT?key-prefix=NAME, another NAME for each "
                            + "database. A URL with a password is read from REFRAIN_STORE_REPLAY_FROM.")
    private @Nullable String replayFrom;

    @Option(names = "--check-config", description = "Validate the configuration and exit.")
    private boolean checkOnly;

    @Override
    public Integer call() throws Exception {
        var reader = new GatewayConfigReader(
                new CommandLineOverrides(
                        Optional.ofNullable(upstream),
                        Optional.ofNullable(listen),
                        Optional.ofNullable(admin),
                        Optional.ofNullable(store),
                        Optional.ofNullable(replayFrom)),
                System.getenv());
        GatewayConfig read;
        try {
            read = config == null ? reader.readWithoutFile() : reader.read(config);
        } catch (GatewayConfigException wrong) {
            throw CommandFailedException.usage(String.valueOf(wrong.getMessage()));
        }
        if (checkOnly) {
            read.warnings().forEach(this::printLine);
            printLine("The configuration is valid. Protected routes: "
                    + read.reloadable().routes().size() + ".");
            return ExitCode.OK;
        }
        run(reader, read);
        return ExitCode.OK;
    }

    private void run(GatewayConfigReader reader, GatewayConfig read) throws Exception {
        try (var gateway = start(read);
                var reloading = reloading(reader, read, gateway)) {
            describe(read, gateway);
            awaitShutdown(gateway);
        }
    }

    private Gateway start(GatewayConfig read) throws Exception {
        try {
            return Gateway.start(read, System.getenv(), this::printLine);
        } catch (StoreException failure) {
            throw CommandFailedException.failed(
                    StoreErrorFormatter.describe(read.startup().store().toString(), failure), failure);
        } catch (MissingAbilityException | GatewayConfigException failure) {
            throw CommandFailedException.failed(String.valueOf(failure.getMessage()), failure);
        } catch (IOException failure) {
            if (failure instanceof BindException || failure.getCause() instanceof BindException) {
                throw CommandFailedException.failed(
                        failure.getMessage()
                                + ". Choose another port with --listen, --admin or gateway.console.listen.",
                        failure);
            }
            throw failure;
        }
    }

    private AutoCloseable reloading(GatewayConfigReader reader, GatewayConfig read, Gateway gateway)
            throws IOException {
        return config == null
                ? () -> {}
                : new GatewayConfigReloader(config, reader, read, RELOAD_INTERVAL, gateway::reload, this::printLine);
    }

    private void describe(GatewayConfig read, Gateway gateway) {
        printLine(
                "Gateway listening on " + read.startup().listening().host() + ":" + gateway.port() + ", forwarding to "
                        + read.reloadable().target().address() + ". Keys are stored in "
                        + read.startup().store() + ".");
        printLine("Requests with a key that no route covers: "
                + read.reloadable().others().describe() + " (gateway.others: "
                + read.reloadable().others().word() + ").");
        gateway.adminPort()
                .ifPresent(port -> printLine("Health and metrics listening on "
                        + read.startup().admin().orElseThrow().host() + ":" + port + ": /live, /ready, /metrics."));
        gateway.consoleAddress()
                .ifPresent(at -> printLine("Console listening on http://"
                        + read.startup().console().orElseThrow().address().host() + ":" + at.getPort() + "/."));
        printLine("Bodies are buffered in up to " + (read.startup().maxBufferedBytes() >> 20)
                + " MB (refrain.max-buffered-bytes); beyond that requests get a 503.");
        if (!OutOfMemoryOptions.endProcess()) {
            printLine(
                    "An out-of-memory error will not end this process, and would leave it in an unknown state. Start java with -XX:+ExitOnOutOfMemoryError, as the refrain launcher does.");
        }
        read.warnings().forEach(this::printLine);
    }

    /** Drains requests in flight on SIGTERM or Ctrl-C before the process ends. */
    private void awaitShutdown(Gateway gateway) throws InterruptedException {
        var closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                gateway.close();
            } catch (Exception e) {
                spec.commandLine().getErr().println("refrain: the gateway did not shut down cleanly: " + e);
            }
            closed.countDown();
        }));
        closed.await();
    }

    private void printLine(String line) {
        PrintWriter out = spec.commandLine().getOut();
        synchronized (this) {
            out.println(line);
            out.flush();
        }
    }
}
