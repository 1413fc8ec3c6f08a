package dev.refrain.console;

import dev.refrain.store.ClaimRef;
import dev.refrain.store.RecordView;

/** What may be done about a record: each with a reason, and said in plain words before. */
final class Acts {

    private Acts() {}

    static Html reveal(Visit visit, RecordView record) {
        if (record.identity().isEmpty()) {
            return Html.element("p").content("It was erased: it says nothing any more.");
        }
        var sizes = record.sizes();
        if (sizes.outcome().isEmpty() && sizes.request().isEmpty()) {
            return Html.element("p").content("Nothing is stored of them now.");
        }
        return reveal(visit, place(visit, record, "reveal"));
    }

    static Html reveal(Visit visit, String place) {
        return Html.element("details")
                .content(
                        Html.element("summary").content("Show what it says"),
                        visit.form(
                                place,
                                Html.element("p")
                                        .content(
                                                "What is shown may be confidential. That you looked is written into the trail."),
                                Fields.reason("reveal-reason"),
                                Fields.button("Show")));
    }

    static Html decide(Visit visit, RecordView record) {
        var seen = seen(record.claim());
        var release = visit.form(
                place(visit, record, "release"),
                seen,
                Html.element("h3").content("Release: let it run again"),
                Html.element("p")
                        .content(
                                "It did not take effect, or repeating it is safe. The next retry runs it under the same derived keys."),
                Fields.reason("release-reason"),
                Fields.button("Release"));
        var resolve = visit.form(
                place(visit, record, "resolve"),
                seen,
                Html.element("h3").content("Resolve: it took effect"),
                Html.element("p")
                        .content(
                                "Every retry is given this answer from now on; without a status it is told that the answer was not kept."),
                Fields.optional("text", "status", "Status of the answer, such as 201", ""),
                Fields.optional("text", "type", "Content-Type", ""),
                Fields.area("body", "Body"),
                Fields.optional("text", "retention", "Kept for, from its first claim on, such as 7d or for-ever", ""),
                Fields.reason("resolve-reason"),
                Fields.button("Resolve"));
        return Html.concat(
                Html.element("h2").content("Decide"),
                Html.element("div").with("class", "acts").content(release, resolve));
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
            throw recordChanged();
        }
        return claim;
    }

    static IllegalArgumentException recordChanged() {
        return new IllegalArgumentException("The record has moved on since you looked at it: nothing was done.");
    }

    private static String place(Visit visit, RecordView record, String act) {
        return OneKey.link(
                visit, "key/" + act, record.identity(), record.claim().id());
    }
}
