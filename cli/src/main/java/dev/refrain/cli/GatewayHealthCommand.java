package dev.refrain.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain gateway health}: asks a running gateway whether it is healthy, for supervisors that run a command. */
@Command(
        name = "health",
        description = {
            "Ask a running gateway whether it is ready: it accepts requests, and its store answers.",
            "Exits with 0 if so, and with 1 if not. Where a supervisor sends HTTP requests itself, have it get /ready or "
                    + "/live of the admin port instead."
        },
        footer = {"", "Examples:", "  refrain gateway health", "  refrain gateway health --live --admin 127.0.0.1:9090"
        })
final class GatewayHealthCommand implements Callable<Integer> {

    static final String DEFAULT_ADMIN = "127.0.0.1:9090";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--admin",
            paramLabel = "[HOST:]PORT",
            defaultValue = DEFAULT_ADMIN,
            description = "Admin port of the gateway, as in gateway.admin (default: ${DEFAULT-VALUE}).")
    private String admin;

    @Option(
            names = "--live",
            description = "Ask only whether the process answers, not whether its store does. A gateway that fails this "
                    + "needs a restart.")
    private boolean live;

    @Override
    public Integer call() {
        var page = page();
        int status;
        try {
            var connection = (HttpURLConnection) page.toURL().openConnection();
            connection.setConnectTimeout((int) TIMEOUT.toMillis());
            connection.setReadTimeout((int) TIMEOUT.toMillis());
            status = connection.getResponseCode();
            connection.disconnect();
        } catch (IOException failure) {
            throw CommandFailedException.failed(
                    "No answer from " + page + " (" + failure.getMessage()
                            + "). Check that the gateway runs, and that --admin is its gateway.admin.",
                    failure);
        }
        if (status != HttpURLConnection.HTTP_OK) {
            throw CommandFailedException.failed(
                    "The gateway is not " + (live ? "live" : "ready") + ": " + page + " answered " + status + ".",
                    null);
        }
        spec.commandLine().getOut().println("The gateway is " + (live ? "live" : "ready") + ".");
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    private URI page() {
        var address = admin.contains(":") ? admin : "127.0.0.1:" + admin;
        try {
            return URI.create("http://" + address + (live ? "/live" : "/ready"));
        } catch (IllegalArgumentException malformed) {
            throw CommandFailedException.usage("Invalid --admin '" + TerminalFormat.escape(admin)
                    + "': may be a port such as 9090, or a host and a port such as 127.0.0.1:9090.");
        }
    }
}
