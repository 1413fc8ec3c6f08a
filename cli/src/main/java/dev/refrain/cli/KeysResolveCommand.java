package dev.refrain.cli;

import dev.refrain.api.Outcome;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.http.settings.SettingParser;
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

/** {@code refrain keys resolve}: it took effect, and this is what retries are told. */
@Command(
        name = "resolve",
        description =
                "Complete a key that waits for a decision: it took effect. Retries are given the answer that you say, or, without"
                        + " --status, are told that its answer was not kept.")
final class KeysResolveCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final RecordDecisionMixin deciding = new RecordDecisionMixin();

    @Option(names = "--status", paramLabel = "CODE", description = "The status of the answer, such as 201.")
    private @Nullable Integer status;

    @Option(names = "--header", paramLabel = "'NAME: VALUE'", description = "A header of the answer; may be repeated.")
    private List<String> headers = List.of();

    @Option(names = "--body", paramLabel = "FILE", description = "The body of the answer.")
    private @Nullable Path body;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description =
                    "For how long it is kept, counted from its first claim: such as 24h or 7d, or for-ever. Without it for what is"
                            + " left of the time that its operation gave it; an hour at least in any case.")
    private @Nullable String retention;

    @Override
    public Integer call() {
        var kept = kept();
        deciding.decide(
                "completed",
                status == null ? "Complete it without an answer?" : "Complete it with this answer?",
                () -> new Resolution.Done(outcome().map(OutcomeFormat::encode), kept),
                spec.commandLine().getOut());
        return ExitCode.OK;
    }

    private Optional<Retention> kept() {
        try {
            return Optional.ofNullable(retention).map(time -> SettingParser.retention("--retention", time));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailedException.usage(String.valueOf(wrong.getMessage()));
        }
    }

    private Optional<Outcome.Answer> outcome() {
        if (status == null) {
            if (body != null || !headers.isEmpty()) {
                throw CommandFailedException.usage("An answer has a status: say --status with --header and --body.");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(new Outcome.Answer(
                    status, headers.stream().map(KeysResolveCommand::header).toList(), read()));
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
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
                            ? "The file " + file + " cannot be read: is it a file, and may you read it?"
                            : "There is no file " + file + ": --body names the file with the body of the answer.",
                    e);
        }
    }

    private static OutcomeHeader header(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw CommandFailedException.usage(
                    "'" + TerminalFormat.escape(text) + "' is no header: write 'Name: value'.");
        }
        return new OutcomeHeader(
                text.substring(0, colon).strip(), text.substring(colon + 1).strip());
    }
}
