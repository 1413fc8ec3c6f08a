package dev.refrain.console;

import dev.refrain.api.RecoveryPoint;
import dev.refrain.console.HtmlTables.Fact;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.util.ArrayList;
import java.util.OptionalLong;

/** Panel with the facts that the store has about a record. */
final class KeyFactsPanel {

    private KeyFactsPanel() {}

    static SafeHtml of(RecordView record) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("State", HtmlTables.state(record.state().name())));
        record.attention().ifPresent(a -> facts.add(new Fact("Reason", SafeHtml.text(a.reason()))));
        record.identity().ifPresent(i -> {
            facts.add(new Fact("Scope", SafeHtml.text(i.scope().isEmpty() ? "(empty scope)" : i.scope())));
            facts.add(new Fact("Namespace", SafeHtml.text(i.namespace())));
        });
        record.explanation().operation().ifPresent(name -> facts.add(new Fact("Operation", SafeHtml.text(name))));
        record.explanation().caller().ifPresent(who -> facts.add(new Fact("Caller", SafeHtml.text(who))));
        facts.add(new Fact(
                "Age",
                SafeHtml.text(ConsoleTimeFormat.brief(record.explanation().age()) + " since the first claim")));
        record.explanation().traceId().ifPresent(id -> facts.add(new Fact("Trace", HtmlTables.code(id.toString()))));
        facts.add(new Fact("Record", HtmlTables.code(record.claim().id().toString())));
        facts.add(new Fact("Fence", SafeHtml.text(Long.toString(record.claim().fence()))));
        facts.add(
                new Fact("After a crash", SafeHtml.text(record.takeOver().name().toLowerCase(java.util.Locale.ROOT))));
        String label = record.state() == RecordState.COMPLETED ? "Last recovery point" : "Recovery point";
        record.recoveryPoint().ifPresent(point -> facts.add(new Fact(label, point(point))));
        record.recipe().ifPresent(recipe -> facts.add(new Fact("Fingerprint", HtmlTables.code(recipe))));
        record.times()
                .leaseUntil()
                .ifPresent(until -> facts.add(new Fact("Lease until", ConsoleTimeFormat.moment(until))));
        facts.add(new Fact(
                "Expires",
                record.times().expires().map(ConsoleTimeFormat::moment).orElse(SafeHtml.text("never"))));
        size(facts, "Response", record.sizes().outcome());
        size(facts, "Request", record.sizes().request());
        size(facts, "Kept request", record.sizes().keptRequest());
        size(facts, "Flow state", record.sizes().carried());
        return HtmlTables.facts(facts);
    }

    /** Formats a recovery point and says whether a call to another system may have been sent. */
    static SafeHtml point(RecoveryPoint point) {
        return point.callMayBeSent()
                ? SafeHtml.concat(
                        HtmlTables.code(point.name()), SafeHtml.text(", and another system may have been called"))
                : HtmlTables.code(point.name());
    }

    private static void size(ArrayList<Fact> facts, String name, OptionalLong bytes) {
        bytes.ifPresent(n -> facts.add(new Fact(name, SafeHtml.text(n + " bytes stored"))));
    }
}
