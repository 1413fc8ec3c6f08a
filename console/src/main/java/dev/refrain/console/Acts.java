package dev.refrain.console;

import dev.refrain.store.ClaimRef;
import dev.refrain.store.RecordView;

/** What may be done about a record: each with a reason, and said in plain words before. */
final class Acts {

    private Acts() {}

    static Html reveal(Visit visit, RecordView record) {
        if (record.identity().isEmpty()) {
            return Html.element("p").of("It was erased: it says nothing any more.");
        }
        var sizes = record.sizes();
        if (sizes.outcome().isEmpty() && sizes.request().isEmpty()) {
            return Html.element("p").of("Nothing is stored of them now.");
        }
        return reveal(visit, place(visit, record, "reveal"));
    }

    static Html reveal(Visit visit, String place) {
        return Html.element("details")
                .of(
                        Html.element("summary").of("Show what it says"),
                        visit.form(
                                place,
                                Html.element("p")
                                        .of(
                                                "What is shown may be confidential. That you looked is written into the trail."),
                                Fields.reason("reveal-reason"),
                                Fields.button("Show")));
    }

    static Html decide(Visit visit, RecordView record) {
        var seen = seen(record.claim());
        var release = visit.form(
                place(visit, record, "release"),
                seen,
                Html.element("h3").of("Release: let it run again"),
                Html.element("p")
                        .of(
                                "It did not take effect, or repeating it is safe. The next retry runs it under the same derived keys."),
                Fields.reason("release-reason"),
                Fields.button("Release"));
        var resolve = visit.form(
                place(visit, record, "resolve"),
                seen,
                Html.element("h3").of("Resolve: it took effect"),
                Html.element("p")
                        .of(
                                "Every retry is given this answer from now on; without a status it is told that the answer was not kept."),
                Fields.optional("text", "status", "Status of the answer, such as 201", ""),
                Fields.optional("text", "type", "Content-Type", ""),
                Fields.area("body", "Body"),
                Fields.optional("text", "retention", "Kept for, from its first claim on, such as 7d or for-ever", ""),
                Fields.reason("resolve-reason"),
                Fields.button("Resolve"));
        return Html.all(
                Html.element("h2").of("Decide"),
                Html.element("div").with("class", "acts").of(release, resolve));
    }

    /** What the visitor looks at goes with the form: one that has moved on since is left alone. */
    static Html seen(ClaimRef claim) {
        return Html.element("input")
                .with("type", "hidden")
                .with("name", "seen")
                .with("value", claim.id() + "/" + claim.fence())
                .empty();
    }

    /** @throws IllegalArgumentException if it is not what the visitor looked at */
    static ClaimRef seen(Visit visit, ClaimRef claim) {
        if (!visit.request().form().getOrDefault("seen", "").equals(claim.id() + "/" + claim.fence())) {
            throw movedOn();
        }
        return claim;
    }

    static IllegalArgumentException movedOn() {
        return new IllegalArgumentException("The record has moved on since you looked at it: nothing was done.");
    }

    private static String place(Visit visit, RecordView record, String act) {
        return OneKey.link(
                visit, "key/" + act, record.identity(), record.claim().id());
    }
}
