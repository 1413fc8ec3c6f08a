package dev.refrain.cli;

import dev.refrain.verify.ApiRoute;
import dev.refrain.verify.ApiUnderTest;
import dev.refrain.verify.ApiUnreachableException;
import dev.refrain.verify.ApiVerifier;
import dev.refrain.verify.InvalidVerifySettingsException;
import dev.refrain.verify.VerifyHeader;
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

/** {@code refrain verify}: whether an API keeps what idempotency keys promise. */
@Command(
        name = "verify",
        description =
                "Find out whether an API, ours or not, keeps what idempotency keys promise. Sends requests that change things, to the one route given and nowhere else.",
        exitCodeList = {"0:nothing failed", "1:a case failed", "2:wrong usage, or nothing answers there"},
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

    @Parameters(paramLabel = "URL", arity = "0..1", description = "Where the API is, such as http://localhost:8080.")
    private @Nullable String url;

    @Option(names = "--route", paramLabel = "'METHOD /PATH'", description = "The route that keys protect.")
    private @Nullable String route;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description =
                    "Goes with every request. $${NAME} in the value is taken from the environment. Values are never shown.")
    private List<String> headers = List.of();

    @Option(
            names = "--other-header",
            paramLabel = "'NAME: VALUE'",
            description = "Makes a request another caller's: replaces the header of that name.")
    private List<String> otherHeaders = List.of();

    @Option(
            names = "--key-header",
            paramLabel = "NAME",
            defaultValue = ApiUnderTest.KEY_HEADER,
            description = "The header that keys are in (${DEFAULT-VALUE}).")
    private String keyHeader;

    @Mixin
    private VerifyBodyOptions request = new VerifyBodyOptions();

    @Mixin
    private VerifyExpectationOptions promise = new VerifyExpectationOptions();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many requests at once, where a case is about that (${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--max-requests",
            paramLabel = "N",
            defaultValue = "500",
            description = "Never send more than this to the route (${DEFAULT-VALUE}).")
    private int maxRequests;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "How long to wait for one answer (${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(names = "--only", paramLabel = "CASE", split = ",", description = "These cases, and the first two.")
    private List<String> only = List.of();

    @Option(names = "--skip", paramLabel = "CASE", split = ",", description = "Not these cases.")
    private List<String> skip = List.of();

    @Option(names = "--list", description = "Explain all cases, and send nothing.")
    private boolean list;

    @Option(names = "--yes", description = "Do not ask before requests are sent to another machine.")
    private boolean yes;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the results as JUnit XML too.")
    private @Nullable Path junit;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON too.")
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
            explain();
            return ExitCode.OK;
        }
        try {
            var subject = subject();
            var verification = ApiVerifier.of(subject, only, skip);
            askFirst(subject, verification);
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
            throw CommandFailedException.usage("Say where the API is and which route keys protect:"
                    + " refrain verify http://localhost:8080 --route 'POST /payments' --body '{…}'");
        }
        var api = new ApiUnderTest(address(url), ApiRoute.changing(route), parsed(headers), keyHeader);
        return VerifySettings.of(api, request.bodies(standardInput))
                .with(parsed(otherHeaders))
                .with(promise.promise())
                .with(promise.sight())
                .with(new VerifyLimits(concurrency, maxRequests, timeout));
    }

    private static URI address(String text) {
        try {
            return new URI(text.contains("://") ? text : "http://" + text);
        } catch (URISyntaxException e) {
            throw CommandFailedException.usage("'" + text + "' is no address: say http://host:port.");
        }
    }

    private static List<VerifyHeader> parsed(List<String> texts) {
        return texts.stream()
                .map(text -> VerifyHeader.parse(text, System::getenv))
                .toList();
    }

    /** Requests that change things on somebody's machine are sent only if that is wanted. */
    private void askFirst(VerifySettings subject, ApiVerifier verification) {
        if (yes || subject.api().isLocal()) {
            return;
        }
        String what = "up to " + verification.maxRequests() + " requests, most of which change something, to "
                + subject.api().route() + " at " + subject.api().base();
        if (request.readsStandardInput()) {
            throw CommandFailedException.usage("This would send " + what + ": say --yes if that is wanted.");
        }
        var err = spec.commandLine().getErr();
        err.print("This sends " + what + ". Go on? [y/N] ");
        err.flush();
        if (!agreed()) {
            throw CommandFailedException.usage("Nothing was sent. Say --yes to go on without being asked.");
        }
    }

    /** No terminal, no line, no leave. */
    private boolean agreed() {
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
            throw CommandFailedException.failed(
                    "The results could not be written to " + file + ": " + e.getMessage(), e);
        }
    }

    private void explain() {
        var out = spec.commandLine().getOut();
        for (var words : VerifySuite.descriptions()) {
            out.println(words.name());
            out.println("  " + words.requirement());
            out.println("  If not: " + words.consequence());
            out.println("  See: " + words.reference());
            out.println();
        }
        out.flush();
    }
}
