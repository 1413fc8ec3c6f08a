package dev.refrain.console;

import dev.refrain.recover.Operators;
import dev.refrain.store.Browsing;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.OutboxStore;
import java.util.List;

/** The sections of a console. One for sagas is {@link SagaSection}. */
public final class Sections {

    private Sections() {}

    /** For an outbox: what waits, and dead letters. */
    public static List<Section> ofOutbox(OutboxBrowsing browsing, OutboxStore<?> outbox, Live live) {
        return List.of(new OutboxSection(browsing, live), new DeadLetters(browsing, outbox));
    }

    /** @param live the same that Refrain was given as its listener */
    public static List<Section> of(Operators operators, Browsing browsing, Live live) {
        var overview = new Overview(live, operators::census);
        return List.of(
                overview,
                overview.part(),
                new Keys(browsing),
                new OneKey(browsing, operators, live),
                new Attention(operators),
                new Trail(operators));
    }
}
