package dev.refrain.cli;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ResolvedAsFailedException;
import dev.refrain.api.Retention;
import dev.refrain.api.StoredFailure;
import dev.refrain.http.edge.OperatorResponseRules;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.Resolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain keys resolve}: completes a key in ATTENTION with the response that retries get. */
@Command(
        name = "resolve",
        description = {
            "Complete a key in ATTENTION whose request took effect, or that must not run again (--failed).",
            "Retries get the response you specify or, without --status, an error for good: 409, the response was "
                    + "not kept; with --failed, an error with your reason."
        },
        footer = {
            "",
            "Examples:",
            "  refrain keys resolve --store … --id ID --status 201 --body answer.json \\",
            "      --reason 'the bank has the payment'",
            "  refrain keys resolve --store … --id ID --failed --reason 'nobody wants it now'"
        })
final class KeysResolveCommand implements Callable<Integer> {

    private static final String NO_RESPONSE = "Each retry gets an error (409 answer-not-kept), for good";

    @Spec
    private CommandSpec spec;

    @Mixin
    private final RecordDecisionMixin decision = new RecordDecisionMixin();

    @Option(names = "--status", paramLabel = "CODE", description = "Status of the response, for example 201.")
    private @Nullable Integer status;

    @Option(
            names = "--failed",
            description =
                    "Resolve it as failed: it never runs again, and a saga that waits for this job is compensated.")
    private boolean failed;

    @Option(names = "--header", paramLabel = "'NAME: VALUE'", description = "Header of the response. Can be repeated.")
    private List<String> headers = List.of();

    @Option(names = "--body", paramLabel = "FILE", description = "File with the body of the response.")
    private @Nullable Path body;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description =
                    "How long to keep the response, counted from the first claim: for example 24h, 7d or for-ever "
                            + "(default: what is left of the operation's retention). At least 1 hour in any case.")
    private @Nullable String retention;

    @Override
    public Integer call() {
        var parsedRetention = parsedRetention();
        decision.decide(
                "completed",
                failed
                        ? "Complete it as failed, so that it never runs again?"
                        : status == null
                                ? NO_RESPONSE + ": without --status there is no response. Complete it without one?"
                                : "Complete it with this response?",
                () -> new Resolution.Done(outcome().map(OutcomeFormat::encode), parsedRetention),
                spec.commandLine().getOut());
        if (!failed && status == null) {
            // Not in the output, which may be JSON; and also where --yes skipped the question.
            var warnings = spec.commandLine().getErr();
            warnings.println("Warning: it was completed without a response. " + NO_RESPONSE + ".");
            warnings.flush();
        }
        return ExitCode.OK;
    }

    private Optional<Retention> parsedRetention() {
        try {
            return Optional.ofNullable(retention).map(time -> SettingParser.retention("--retention", time));
        } catch (IllegalArgumentException invalid) {
            throw CommandFailedException.usage(String.valueOf(invalid.getMessage()));
        }
    }

    private Optional<Outcome.Answer> outcome() {
        if (failed) {
            if (status != null || body != null || !headers.isEmpty()) {
                throw CommandFailedException.usage("--failed excludes --status, --header and --body.");
            }
            return Optional.of(StoredFailure.toAnswer(new ResolvedAsFailedException(decision.reason())));
        }
        if (status == null) {
            if (body != null || !headers.isEmpty()) {
                throw CommandFailedException.usage("--header and --body require --status.");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(OperatorResponseRules.requireSendable(new Outcome.Answer(
                    status, headers.stream().map(KeysResolveCommand::header).toList(), read())));
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage(TerminalFormat.escape(String.valueOf(e.getMessage())));
        }
    }

    private Payload read() {
        var file = body;
        if (file == null) {
            return Payload.of(new byte[0]);
        }
        try {
            return Payload.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw CommandFailedException.failed(
                    Files.exists(file)
                            ? "Cannot read " + file
                                    + ": check that it is a regular file and that you have permission to read it."
                            : "File not found: " + file + ". --body takes the file with the response body.",
                    e);
        }
    }

    private static AnswerHeader header(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw CommandFailedException.usage(
                    "'" + TerminalFormat.escape(text) + "' is not a header: use 'Name: value'.");
        }
        return new AnswerHeader(
                text.substring(0, colon), text.substring(colon + 1).strip());
    }
}
