package dev.refrain.cli;

import dev.refrain.gateway.Gateway;
import dev.refrain.gateway.config.CommandLineOverrides;
import dev.refrain.gateway.config.GatewayConfig;
import dev.refrain.gateway.config.GatewayConfigException;
import dev.refrain.gateway.config.GatewayConfigReader;
import dev.refrain.gateway.config.GatewayConfigReloader;
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

/** {@code refrain gateway}: protection for a service that is not changed. */
@Command(
        name = "gateway",
        description = {
            "Give any HTTP service idempotency keys, without changing it: a reverse proxy that runs until it is stopped.",
            "",
            "A POST or PATCH with an Idempotency-Key reaches the service once; a retry is given the same answer. If the service was"
                    + " sent a request and did not answer, nobody knows what it did: the key is then held (409) until someone has"
                    + " found out, unless the configuration says that the service knows keys itself, or how to ask it.",
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
        })
final class GatewayCommand implements Callable<Integer> {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--upstream",
            paramLabel = "URL",
            description = "The service behind, such as http://localhost:3000.")
    private @Nullable String upstream;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Routes and settings in YAML. It is read again when it changes; one that is wrong changes nothing.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            description = "Where clients come to (8080 on every interface).")
    private @Nullable String listen;

    @Option(
            names = "--admin",
            paramLabel = "[HOST:]PORT",
            description = "Where /live, /ready and /metrics are (9090 on this machine only); off for none.")
    private @Nullable String admin;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "Where keys and answers are kept: jdbc:sqlite:FILE (refrain-gateway.db in this folder) or jdbc:postgresql://HOST/DATABASE,"
                            + " with user and password in REFRAIN_STORE_USER and REFRAIN_STORE_PASSWORD.")
    private @Nullable String store;

    @Option(names = "--check-config", description = "Say whether the configuration can be used, and start nothing.")
    private boolean checkOnly;

    @Override
    public Integer call() throws Exception {
        var reader = new GatewayConfigReader(
                new CommandLineOverrides(
                        Optional.ofNullable(upstream),
                        Optional.ofNullable(listen),
                        Optional.ofNullable(admin),
                        Optional.ofNullable(store)),
                System.getenv());
        GatewayConfig read;
        try {
            read = config == null ? reader.read("") : reader.read(config);
        } catch (GatewayConfigException wrong) {
            throw CommandFailedException.usage(String.valueOf(wrong.getMessage()));
        }
        if (checkOnly) {
            read.warnings().forEach(this::say);
            say("The configuration can be used. Protected routes: "
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
            awaitTheEnd(gateway);
        }
    }

    private Gateway start(GatewayConfig read) throws Exception {
        try {
            return Gateway.start(read, System.getenv(), this::say);
        } catch (StoreException away) {
            throw CommandFailedException.failed(
                    StoreErrorMessages.describe(read.startup().store().toString(), away), away);
        } catch (IOException taken) {
            if (taken instanceof BindException || taken.getCause() instanceof BindException) {
                throw CommandFailedException.failed(
                        taken.getMessage() + "; choose another port by --listen, --admin or gateway.console.listen.",
                        taken);
            }
            throw taken;
        }
    }

    private AutoCloseable reloading(GatewayConfigReader reader, GatewayConfig read, Gateway gateway)
            throws IOException {
        return config == null
                ? () -> {}
                : new GatewayConfigReloader(config, reader, read, LOOK_EVERY, gateway::reload, this::say);
    }

    private void describe(GatewayConfig read, Gateway gateway) {
        say("The gateway listens on " + read.startup().listening().host() + ":" + gateway.port() + ", in front of "
                + read.reloadable().target().address() + ". Keys are in "
                + read.startup().store() + ".");
        gateway.adminPort()
                .ifPresent(port -> say("Health and metrics are on "
                        + read.startup().admin().orElseThrow().host() + ":" + port + ": /live, /ready, /metrics."));
        gateway.consoleAddress()
                .ifPresent(at -> say("The console is on http://"
                        + read.startup().console().orElseThrow().address().host() + ":" + at.getPort() + "/."));
        read.warnings().forEach(this::say);
    }

    /** A stop is a signal: whoever is under way is let finish, and then the process ends. */
    private void awaitTheEnd(Gateway gateway) throws InterruptedException {
        var closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                gateway.close();
            } catch (Exception e) {
                spec.commandLine().getErr().println("refrain: the gateway did not end as it should: " + e);
            }
            closed.countDown();
        }));
        closed.await();
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        synchronized (this) {
            out.println(line);
            out.flush();
        }
    }
}
