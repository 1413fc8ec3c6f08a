package dev.refrain.console;

import dev.refrain.console.Tables.Fact;
import dev.refrain.store.RecordView;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import java.util.ArrayList;
import java.util.OptionalLong;

/** What the store knows of a record now. */
final class KeyFacts {

    private KeyFacts() {}

    static Html of(RecordView record) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("State", Tables.state(record.state().name())));
        record.attention().ifPresent(a -> facts.add(new Fact("Why", Html.text(a.reason()))));
        record.identity().ifPresent(i -> {
            facts.add(new Fact("Scope", Html.text(i.scope().isEmpty() ? "(one tenant)" : i.scope())));
            facts.add(new Fact("Operation", Html.text(i.namespace())));
        });
        facts.add(new Fact("Record", Tables.code(record.claim().id().toString())));
        facts.add(new Fact("Fence", Html.text(Long.toString(record.claim().fence()))));
        facts.add(new Fact("After a crash", Html.text(record.takeOver().name().toLowerCase(java.util.Locale.ROOT))));
        String stands = record.state() == State.COMPLETED ? "Ended behind" : "Stands at";
        record.recoveryPoint().ifPresent(point -> facts.add(new Fact(stands, point(point))));
        record.recipe().ifPresent(recipe -> facts.add(new Fact("Fingerprint", Tables.code(recipe))));
        record.times().leaseUntil().ifPresent(until -> facts.add(new Fact("Lease until", Times.moment(until))));
        facts.add(
                new Fact("Expires", record.times().expires().map(Times::moment).orElse(Html.text("never"))));
        size(facts, "Answer", record.sizes().outcome());
        size(facts, "Request", record.sizes().request());
        size(facts, "Carried on", record.sizes().carried());
        return Tables.facts(facts);
    }

    /** A recovery point; with a mark behind it, what belongs to it may have been sent. */
    static Html point(String stored) {
        return stored.endsWith(StoredRecord.MAY_HAVE_SENT)
                ? Html.concat(
                        Tables.code(stored.substring(0, stored.length() - StoredRecord.MAY_HAVE_SENT.length())),
                        Html.text(", and another system may have been called"))
                : Tables.code(stored);
    }

    private static void size(ArrayList<Fact> facts, String name, OptionalLong bytes) {
        bytes.ifPresent(n -> facts.add(new Fact(name, Html.text(n + " bytes stored"))));
    }
}
