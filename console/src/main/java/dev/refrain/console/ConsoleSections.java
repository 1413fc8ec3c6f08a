package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;

/** The sections of a console. One for sagas is {@link SagaSection}. */
public final class ConsoleSections {

    /** How far a topic is counted for the front page, which is made anew every few seconds. */
    private static final int GLANCE = 1_000;

    private ConsoleSections() {}

    /** @param live the same that Refrain was given as its listener */
    public static List<ConsoleSection> of(RecordAdmin operators, RecordBrowser browsing, LiveActivityListener live) {
        return of(operators, browsing, live, new OverviewSection(live, operators::unsettledCounts));
    }

    /**
     * The same with what waits in an outbox and its dead letters, on the front page too.
     *
     * @param live the same that Refrain and the relay were given as their listener: a relay has {@code refrain.listener()}
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
                new OverviewSection(live, operators::unsettledCounts, () -> messages.topics(GLANCE))));
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
