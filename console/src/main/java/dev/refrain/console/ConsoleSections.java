package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;

/** Creates the standard sections of a console. For sagas, add {@link SagaSection}. */
public final class ConsoleSections {

    /** Limit of the counts per topic on the front page, which is refreshed every few seconds. */
    private static final int OVERVIEW_COUNT_LIMIT = 1_000;

    private ConsoleSections() {}

    /**
     * Creates the sections for keys.
     *
     * @param live the listener that Refrain was given
     */
    public static List<ConsoleSection> of(RecordAdmin operators, RecordBrowser browsing, LiveActivityListener live) {
        return of(operators, browsing, live, new OverviewSection(live, operators::unsettledCounts));
    }

    /**
     * Creates the sections for keys and an outbox with its dead letters.
     *
     * @param live the listener that Refrain and the relays were given; a relay uses {@code refrain.listener()}
     */
    public static List<ConsoleSection> of(
            RecordAdmin operators,
            RecordBrowser browsing,
            LiveActivityListener live,
            OutboxBrowser messages,
            OutboxStore<?> outbox) {
        var sections = new ArrayList<>(of(
                operators,
                browsing,
                live,
                new OverviewSection(live, operators::unsettledCounts, () -> messages.topics(OVERVIEW_COUNT_LIMIT))));
        sections.add(new OutboxSection(messages, live));
        sections.add(new DeadLetterSection(messages, outbox));
        return sections;
    }

    private static List<ConsoleSection> of(
            RecordAdmin operators, RecordBrowser browsing, LiveActivityListener live, OverviewSection overview) {
        return List.of(
                overview,
                overview.part(),
                new KeySearchSection(browsing),
                new KeyDetailSection(browsing, operators, live),
                new AttentionSection(operators),
                new AuditTrailSection(operators));
    }
}
