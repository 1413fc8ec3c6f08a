package dev.refrain.console;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.RecordView;

/** Builds the forms for a record: reveal, release, resolve. Each requires a reason and explains its effect. */
final class RecordActionForms {

    private RecordActionForms() {}

    static SafeHtml reveal(AuthenticatedRequest visit, RecordView record) {
        if (record.identity().isEmpty()) {
            return SafeHtml.element("p").content("The record was erased: its request and response are gone.");
        }
        var sizes = record.sizes();
        if (sizes.outcome().isEmpty()
                && sizes.request().isEmpty()
                && sizes.keptRequest().isEmpty()) {
            return SafeHtml.element("p").content("No request or response is stored at the moment.");
        }
        return reveal(visit, place(visit, record, "reveal"));
    }

    static SafeHtml reveal(AuthenticatedRequest visit, String place) {
        return SafeHtml.element("details")
                .content(
                        SafeHtml.element("summary").content("Reveal contents"),
                        visit.form(
                                place,
                                SafeHtml.element("p")
                                        .content(
                                                "The contents may be confidential. The audit trail records that you revealed them."),
                                HtmlFormFields.reason("reveal-reason"),
                                HtmlFormFields.button("Reveal")));
    }

    static SafeHtml decide(AuthenticatedRequest visit, RecordView record) {
        var seen = seenClaimField(record.claim());
        var release = visit.form(
                place(visit, record, "release"),
                seen,
                SafeHtml.element("h3").content("Release: run again"),
                SafeHtml.element("p")
                        .content(
                                "Use this if the request did not take effect, or if repeating it is safe. The next retry runs it "
                                        + "under the same derived keys."),
                HtmlFormFields.reason("release-reason"),
                HtmlFormFields.button("Release"));
        var resolve = visit.form(
                place(visit, record, "resolve"),
                seen,
                SafeHtml.element("h3").content("Resolve: took effect"),
                SafeHtml.element("p")
                        .content(
                                "Retries get this response from now on. Without a status, they get an error saying that the response "
                                        + "was not kept."),
                HtmlFormFields.optional("text", "status", "Status, for example 201", ""),
                HtmlFormFields.optional("text", "type", "Content-Type", ""),
                HtmlFormFields.area("body", "Body"),
                HtmlFormFields.optional(
                        "text", "retention", "Retention from the first claim, for example 7d or for-ever", ""),
                HtmlFormFields.reason("resolve-reason"),
                HtmlFormFields.button("Resolve"));
        var resolveAsFailed = visit.form(
                place(visit, record, "resolve-as-failed"),
                seen,
                SafeHtml.element("h3").content("Resolve: failed"),
                SafeHtml.element("p")
                        .content(
                                "Use this if it must not run again. Retries get an error with your reason, and a saga that waits for "
                                        + "this job is compensated."),
                HtmlFormFields.reason("resolve-as-failed-reason"),
                HtmlFormFields.button("Resolve as failed"));
        return SafeHtml.concat(
                SafeHtml.element("h2").content("Decide"),
                SafeHtml.element("div").with("class", "acts").content(release, resolve, resolveAsFailed));
    }

    /** Hidden field with the claim that the user saw, so that a record that changed since is left alone. */
    static SafeHtml seenClaimField(ClaimRef claim) {
        return SafeHtml.element("input")
                .with("type", "hidden")
                .with("name", "seen")
                .with("value", claim.id() + "/" + claim.fence())
                .empty();
    }

    /**
     * Returns the claim if it is the one that the user saw.
     *
     * @throws IllegalArgumentException if the record changed since
     */
    static ClaimRef requireSeen(AuthenticatedRequest visit, ClaimRef claim) {
        if (!visit.request().form().getOrDefault("seen", "").equals(claim.id() + "/" + claim.fence())) {
            throw recordChanged();
        }
        return claim;
    }

    static IllegalArgumentException recordChanged() {
        return new IllegalArgumentException(
                "The record changed after you opened the page; nothing was done. Open it again and decide on its "
                        + "current state.");
    }

    private static String place(AuthenticatedRequest visit, RecordView record, String act) {
        return KeyDetailSection.link(
                visit, "key/" + act, record.identity(), record.claim().id());
    }
}
