package dev.refrain.cli;

import dev.refrain.verify.ApiUnderTest;
import dev.refrain.verify.ApiUnreachableException;
import dev.refrain.verify.ApiVerifier;
import dev.refrain.verify.InvalidVerifySettingsException;
import dev.refrain.verify.OutgoingHeader;
import dev.refrain.verify.VerifiedRoute;
import dev.refrain.verify.VerifyLimits;
import dev.refrain.verify.VerifyReport;
import dev.refrain.verify.VerifySettings;
import dev.refrain.verify.VerifySuite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code refrain verify}: checks whether an API handles idempotency keys correctly. */
@Command(
        name = "verify",
        description = {
            "Check whether an API, built with Refrain or not, handles idempotency keys correctly.",
            "Sends requests that change data, but only to the given route."
        },
        exitCodeList = {"0:no case failed", "1:a case failed", "2:invalid usage, or the API is unreachable"},
        footer = {
            "",
            "Examples:",
            "  refrain verify http://localhost:8080 --route 'POST /payments' \\",
            "    --body '{\"amount\":{{n}},\"currency\":\"EUR\"}' \\",
            "    --effects 'GET /payments#/payments'",
            "  refrain verify https://api.test --route 'POST /v1/charges' \\",
            "    --profile stripe --header 'Authorization: Bearer $${API_KEY}' \\",
            "    --body @charge.json --junit verify.xml",
            "  refrain verify --list"
        })
final class VerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "URL",
            arity = "0..1",
            description = "Base URL of the API, for example http://localhost:8080.")
    private @Nullable String url;

    @Option(names = "--route", paramLabel = "'METHOD /PATH'", description = "Route to test.")
    private @Nullable String route;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description =
                    "Header to send with every request. $${NAME} in the value is read from the environment. Values are "
                            + "never printed.")
    private List<String> headers = List.of();

    @Option(
            names = "--other-header",
            paramLabel = "'NAME: VALUE'",
            description = "Header that makes a request come from another caller; replaces the header of the same name.")
    private List<String> otherHeaders = List.of();

    @Option(
            names = "--key-header",
            paramLabel = "NAME",
            defaultValue = ApiUnderTest.KEY_HEADER,
            description = "Header that carries the key (default: ${DEFAULT-VALUE}).")
    private String keyHeader;

    @Mixin
    private VerifyBodyOptions request = new VerifyBodyOptions();

    @Mixin
    private VerifyExpectationOptions expectations = new VerifyExpectationOptions();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of parallel requests in the concurrency cases (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--max-requests",
            paramLabel = "N",
            defaultValue = "500",
            description = "Maximum number of requests to the route (default: ${DEFAULT-VALUE}).")
    private int maxRequests;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Time to wait for one response (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = "--only",
            paramLabel = "CASE",
            split = ",",
            description = "Run only these cases, plus the first two, on which they depend.")
    private List<String> only = List.of();

    @Option(names = "--skip", paramLabel = "CASE", split = ",", description = "Skip these cases.")
    private List<String> skip = List.of();

    @Option(names = "--list", description = "Describe all cases and exit.")
    private boolean list;

    @Option(names = "--yes", description = "Skip the prompt before sending requests to another machine.")
    private boolean yes;

    @Option(names = "--junit", paramLabel = "FILE", description = "Also write the results as JUnit XML.")
    private @Nullable Path junit;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results as JSON.")
    private @Nullable Path json;

    private final InputStream standardInput;

    VerifyCommand() {
        this(System.in);
    }

    VerifyCommand(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    @Override
    public Integer call() {
        if (list) {
            printCases();
            return ExitCode.OK;
        }
        try {
            var subject = subject();
            var verification = ApiVerifier.of(subject, only, skip);
            confirmRemote(subject, verification);
            var progress = new VerifyProgressPrinter(spec.commandLine().getErr(), verification.size());
            var report = verification.run(progress::report);
            report.print(spec.commandLine().getOut());
            write(report);
            return report.passes() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (InvalidVerifySettingsException | ApiUnreachableException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
    }

    private VerifySettings subject() {
        if (url == null || route == null) {
            throw CommandFailedException.usage(
                    "URL and --route are required, for example: refrain verify http://localhost:8080 --route 'POST "
                            + "/payments' --body '{…}'");
        }
        var api = new ApiUnderTest(address(url), VerifiedRoute.changing(route), parsed(headers), keyHeader);
        return VerifySettings.of(api, request.bodies(standardInput))
                .with(parsed(otherHeaders))
                .with(expectations.expectations())
                .with(expectations.effectCountSource())
                .with(new VerifyLimits(concurrency, maxRequests, timeout));
    }

    private static URI address(String text) {
        try {
            return new URI(text.contains("://") ? text : "http://" + text);
        } catch (URISyntaxException e) {
            throw CommandFailedException.usage("'" + text + "' is not a URL: use http://host:port.");
        }
    }

    private static List<OutgoingHeader> parsed(List<String> texts) {
        return texts.stream()
                .map(text -> OutgoingHeader.parse(text, System::getenv))
                .toList();
    }

    /** Prompts before changing data on another machine. */
    private void confirmRemote(VerifySettings subject, ApiVerifier verification) {
        if (yes || subject.api().isLocal()) {
            return;
        }
        String what = "up to " + verification.maxRequests() + " requests, most of which change data, to "
                + subject.api().route() + " at " + subject.api().base();
        if (request.readsStandardInput()) {
            throw CommandFailedException.usage("This would send " + what + ". Use --yes to confirm.");
        }
        var err = spec.commandLine().getErr();
        err.print("This will send " + what + ". Continue? [y/N] ");
        err.flush();
        if (!readConfirmation()) {
            throw CommandFailedException.usage("Aborted; nothing was sent. Use --yes to skip the prompt.");
        }
    }

    /** No terminal or no input counts as no. */
    private boolean readConfirmation() {
        try {
            String line = new BufferedReader(new InputStreamReader(standardInput, StandardCharsets.UTF_8)).readLine();
            return line != null && line.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            return false;
        }
    }

    private void write(VerifyReport report) {
        if (junit != null) {
            write(junit, report.junitXml());
        }
        if (json != null) {
            write(json, report.json());
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw CommandFailedException.failed("Cannot write the results to " + file + ": " + e.getMessage(), e);
        }
    }

    private void printCases() {
        var out = spec.commandLine().getOut();
        for (var description : VerifySuite.descriptions()) {
            out.println(description.name());
            out.println("  " + description.requirement());
            out.println("  Otherwise: " + description.consequence());
            out.println("  See: " + description.reference());
            out.println();
        }
        out.flush();
    }
}
