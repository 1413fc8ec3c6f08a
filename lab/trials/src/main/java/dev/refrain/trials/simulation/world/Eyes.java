package dev.refrain.trials.simulation.world;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.store.Store;
import dev.refrain.trials.simulation.law.Deed;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.law.Seen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at every record before and after whatever is done to it, and tells the law. */
final class Eyes {

    private final Store store;
    private final StoreClock clock;
    private final Law law;
    private final List<Identity> identities;
    private final Map<Lookup, Identity> byLookup = new HashMap<>();
    private final Map<Identity, Seen> last = new HashMap<>();

    Eyes(Store store, StoreClock clock, Law law, List<Identity> identities) {
        this.store = store;
        this.clock = clock;
        this.law = law;
        this.identities = identities;
        identities.forEach(identity -> byLookup.put(identity.hash(), identity));
    }

    List<Identity> identities() {
        return identities;
    }

    Identity identity(Lookup lookup) {
        var identity = byLookup.get(lookup);
        if (identity == null) {
            throw new IllegalArgumentException("Nobody in this world asked for " + lookup);
        }
        return identity;
    }

    /** What is there now. What changed since it was last looked at changed behind everyone's back. */
    Optional<Seen> before(String process, Identity identity) {
        var now = look(identity);
        judge(process, identity, Optional.ofNullable(last.get(identity)), now, new Deed.Read());
        return now;
    }

    void after(String process, Identity identity, Optional<Seen> before, Deed deed) {
        var now = look(identity);
        now.ifPresentOrElse(seen -> last.put(identity, seen), () -> last.remove(identity));
        judge(process, identity, before, now, deed);
    }

    /** After something that says it changed records and not which. Had it changed them in silence, the next look would tell. */
    void afterAll(String process, Deed deed) {
        identities.forEach(identity -> after(process, identity, Optional.ofNullable(last.get(identity)), deed));
    }

    void batch(String process, List<Lookup> lookups) {
        law.check(new Happening.Batch(process, lookups));
    }

    Optional<Seen> look(Identity identity) {
        return store.find(List.of(identity)).getFirst().map(record -> Seen.at(clock.instant(), record));
    }

    private void judge(String process, Identity identity, Optional<Seen> before, Optional<Seen> after, Deed deed) {
        law.check(new Happening.Step(process, identity, before, after, deed, clock.instant()));
    }
}
