package dev.refrain.console;

import dev.refrain.recover.Operators;
import dev.refrain.store.Browsing;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;

/** The sections of a console. One for sagas is {@link SagaSection}. */
public final class Sections {

    /** How far a topic is counted for the front page, which is made anew every few seconds. */
    private static final int GLANCE = 1_000;

    private Sections() {}

    /** @param live the same that Refrain was given as its listener */
    public static List<Section> of(Operators operators, Browsing browsing, Live live) {
        return of(operators, browsing, live, new Overview(live, operators::unsettledCounts));
    }

    /**
     * The same with what waits in an outbox and its dead letters, on the front page too.
     *
     * @param live the same that Refrain and the relay were given as their listener: a relay has {@code refrain.listener()}
     */
    public static List<Section> of(
            Operators operators, Browsing browsing, Live live, OutboxBrowsing messages, OutboxStore<?> outbox) {
        var sections = new ArrayList<>(
                of(operators, browsing, live, new Overview(live, operators::unsettledCounts, () -> messages.topics(GLANCE))));
        sections.add(new OutboxSection(messages, live));
        sections.add(new DeadLetters(messages, outbox));
        return sections;
    }

    private static List<Section> of(Operators operators, Browsing browsing, Live live, Overview overview) {
        return List.of(
                overview,
                overview.part(),
                new Keys(browsing),
                new OneKey(browsing, operators, live),
                new Attention(operators),
                new Trail(operators));
    }
}
