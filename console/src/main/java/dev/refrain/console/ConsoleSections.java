package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates the standard sections of a console. For sagas, add {@link SagaSection}. */
public final class ConsoleSections {

    private static final System.Logger LOG = System.getLogger(ConsoleSections.class.getName());

    /** Limit of the counts per topic on the front page, which is refreshed every few seconds. */
    private static final int OVERVIEW_COUNT_LIMIT = 1_000;

    private ConsoleSections() {}

    /**
     * Creates the sections for keys.
     *
     * @param live the listener that Refrain was given
     */
    public static List<ConsoleSection> of(RecordAdmin operators, RecordBrowser browsing, LiveActivityListener live) {
        return of(operators, browsing, live, new OverviewSection(live, counts(operators)));
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
                new OverviewSection(live, counts(operators), () -> messages.topics(OVERVIEW_COUNT_LIMIT))));
        sections.add(new OutboxSection(messages, live));
        sections.add(new DeadLetterSection(messages, outbox));
        return sections;
    }

    private static List<ConsoleSection> of(
            RecordAdmin operators, RecordBrowser browsing, LiveActivityListener live, OverviewSection overview) {
        var sections = new ArrayList<ConsoleSection>(List.of(
                overview,
                overview.part(),
                new KeySearchSection(browsing),
                new KeyDetailSection(browsing, operators, live),
                new AttentionSection(operators)));
        if (has(operators, StoreAbility.AUDIT_TRAIL, "The page of the audit trail")) {
            sections.add(new AuditTrailSection(operators));
        }
        return sections;
    }

    private static Supplier<Optional<UnsettledCounts>> counts(RecordAdmin operators) {
        return has(operators, StoreAbility.COUNTS, "The front page's counts")
                ? () -> Optional.of(operators.unsettledCounts())
                : Optional::empty;
    }

    private static boolean has(RecordAdmin operators, StoreAbility ability, String part) {
        boolean able = operators.abilities().contains(ability);
        if (!able) {
            LOG.log(
                    System.Logger.Level.INFO,
                    part + " is left out: " + operators.storeName() + " does not have the ability \"" + ability.label()
                            + "\".");
        }
        return able;
    }
}
