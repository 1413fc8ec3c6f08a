package dev.refrain.console;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.RecordView;

/** What may be done about a record: each with a reason, and said in plain words before. */
final class RecordActionForms {

    private RecordActionForms() {}

    static SafeHtml reveal(AuthenticatedRequest visit, RecordView record) {
        if (record.identity().isEmpty()) {
            return SafeHtml.element("p").content("It was erased: it says nothing any more.");
        }
        var sizes = record.sizes();
        if (sizes.outcome().isEmpty() && sizes.request().isEmpty()) {
            return SafeHtml.element("p").content("Nothing is stored of them now.");
        }
        return reveal(visit, place(visit, record, "reveal"));
    }

    static SafeHtml reveal(AuthenticatedRequest visit, String place) {
        return SafeHtml.element("details")
                .content(
                        SafeHtml.element("summary").content("Show what it says"),
                        visit.form(
                                place,
                                SafeHtml.element("p")
                                        .content(
                                                "What is shown may be confidential. That you looked is written into the trail."),
                                FormFields.reason("reveal-reason"),
                                FormFields.button("Show")));
    }

    static SafeHtml decide(AuthenticatedRequest visit, RecordView record) {
        var seen = seen(record.claim());
        var release = visit.form(
                place(visit, record, "release"),
                seen,
                SafeHtml.element("h3").content("Release: let it run again"),
                SafeHtml.element("p")
                        .content(
                                "It did not take effect, or repeating it is safe. The next retry runs it under the same derived keys."),
                FormFields.reason("release-reason"),
                FormFields.button("Release"));
        var resolve = visit.form(
                place(visit, record, "resolve"),
                seen,
                SafeHtml.element("h3").content("Resolve: it took effect"),
                SafeHtml.element("p")
                        .content(
                                "Every retry is given this answer from now on; without a status it is told that the answer was not kept."),
                FormFields.optional("text", "status", "Status of the answer, such as 201", ""),
                FormFields.optional("text", "type", "Content-Type", ""),
                FormFields.area("body", "Body"),
                FormFields.optional(
                        "text", "retention", "Kept for, from its first claim on, such as 7d or for-ever", ""),
                FormFields.reason("resolve-reason"),
                FormFields.button("Resolve"));
        return SafeHtml.concat(
                SafeHtml.element("h2").content("Decide"),
                SafeHtml.element("div").with("class", "acts").content(release, resolve));
    }

    /** What the visitor looks at goes with the form: one that has moved on since is left alone. */
    static SafeHtml seen(ClaimRef claim) {
        return SafeHtml.element("input")
                .with("type", "hidden")
                .with("name", "seen")
                .with("value", claim.id() + "/" + claim.fence())
                .empty();
    }

    /** @throws IllegalArgumentException if it is not what the visitor looked at */
    static ClaimRef seen(AuthenticatedRequest visit, ClaimRef claim) {
        if (!visit.request().form().getOrDefault("seen", "").equals(claim.id() + "/" + claim.fence())) {
            throw recordChanged();
        }
        return claim;
    }

    static IllegalArgumentException recordChanged() {
        return new IllegalArgumentException("The record has moved on since you looked at it: nothing was done.");
    }

    private static String place(AuthenticatedRequest visit, RecordView record, String act) {
        return KeyDetailSection.link(
                visit, "key/" + act, record.identity(), record.claim().id());
    }
}
