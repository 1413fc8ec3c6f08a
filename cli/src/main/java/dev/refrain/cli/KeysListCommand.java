package dev.refrain.cli;

import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code refrain keys list}: prints one page of keys and the cursor of the next. */
@Command(
        name = "list",
        description = {
            "List keys, newest first.",
            "With --scope and no time range they are unordered. Each call scans a limited number of records, so "
                    + "a page can be short or empty even if there are more; it then prints the cursor for --after."
        },
        footer = {
            "",
            "Examples:",
            "  refrain keys list --store jdbc:sqlite:refrain-gateway.db --since 2h",
            "  REFRAIN_STORE_PASSWORD=… refrain keys list --user me \\",
            "      --store jdbc:postgresql://db/shop --scope acme --state IN_PROGRESS"
        })
final class KeysListCommand implements Callable<Integer> {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--scope", paramLabel = "NAME", description = "Only keys of this scope.")
    private @Nullable String scope;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only keys of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Only this key, in any scope and namespace unless those are given too.")
    private @Nullable String key;

    @Option(names = "--state", paramLabel = "STATE", description = "Only keys in this state: ${COMPLETION-CANDIDATES}.")
    private @Nullable RecordState state;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = InstantConverter.class,
            description =
                    "Only keys first claimed at or after this time: 2026-11-15T10:00:00Z, or an age such as 15m, 2h, 3d.")
    private @Nullable Instant since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = InstantConverter.class,
            description = "Only keys first claimed before this time.")
    private @Nullable Instant until;

    @Mixin
    private final PagedListOptions page = new PagedListOptions();

    @Override
    public Integer call() {
        try {
            var search = search();
            var found = store.withStore(opened -> opened.recordBrowser().search(search));
            page.print(
                    "records",
                    found.records(),
                    found.next(),
                    RecordJson::of,
                    List.of("STATE", "AGE", "FENCE", "SCOPE", "NAMESPACE", "KEY", "ID"),
                    KeysListCommand::row,
                    ifNone(search));
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }

    private RecordSearch search() {
        return new RecordSearch(
                Optional.ofNullable(scope),
                Optional.ofNullable(namespace),
                Optional.ofNullable(key),
                Optional.ofNullable(state),
                Optional.ofNullable(since),
                Optional.ofNullable(until),
                page.after(),
                page.limit());
    }

    private String ifNone(RecordSearch search) {
        var all = RecordSearch.ofPageSize(page.limit());
        return search.equals(all)
                ? "No keys yet. A protected request makes one; if there were some, check that --store (and --schema) is"
                        + " the database of the application."
                : "No keys match. Keys that expired are gone; leave out --scope, --namespace, --key, --state, --since or"
                        + " --until to see more.";
    }

    private static List<String> row(RecordView record) {
        var times = record.times();
        return List.of(
                record.leaseOver()
                        ? record.state() + " (lease expired)"
                        : record.state().name(),
                TerminalFormat.duration(Duration.between(times.claimed(), times.seen())),
                Long.toString(record.claim().fence()),
                record.identity().map(i -> TerminalFormat.escape(i.scope())).orElse("(erased)"),
                record.identity().map(i -> TerminalFormat.escape(i.namespace())).orElse("(erased)"),
                record.identity().map(i -> TerminalFormat.escape(i.key())).orElse("(erased)"),
                record.claim().id().toString());
    }
}
