package dev.refrain.console;

import dev.refrain.recover.Operators;
import dev.refrain.store.Browsing;
import java.util.List;

/** The sections that every console has. Outbox, sagas and the like are further ones: see {@link Console#and}. */
public final class Sections {

    private Sections() {}

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
