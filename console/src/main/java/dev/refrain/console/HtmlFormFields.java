package dev.refrain.console;

import java.util.List;

/** Builds form fields, each with a label. */
final class HtmlFormFields {

    private HtmlFormFields() {}

    static SafeHtml text(String name, String label, String value, String autocomplete) {
        return labelled(
                name,
                label,
                field("text", name, autocomplete)
                        .with("value", value)
                        .with("required")
                        .empty());
    }

    static SafeHtml input(String type, String name, String label, String autocomplete) {
        return labelled(
                name, label, field(type, name, autocomplete).with("required").empty());
    }

    /** Builds a field that may stay empty. */
    static SafeHtml optional(String type, String name, String label, String value) {
        return labelled(
                name, label, field(type, name, "off").with("value", value).empty());
    }

    static SafeHtml area(String name, String label) {
        return labelled(
                name,
                label,
                SafeHtml.element("textarea")
                        .with("name", name)
                        .with("id", name)
                        .with("rows", "4")
                        .content(""));
    }

    static SafeHtml choice(String name, String label, String chosen, List<String> values) {
        var options = values.stream()
                .map(value -> (value.equals(chosen)
                                ? SafeHtml.element("option")
                                        .with("value", value)
                                        .with("selected")
                                : SafeHtml.element("option").with("value", value))
                        .content(value.isEmpty() ? "any" : value))
                .toList();
        return labelled(
                name,
                label,
                SafeHtml.element("select").with("name", name).with("id", name).content(options));
    }

    /** Builds a GET form. */
    static SafeHtml search(String action, SafeHtml... fields) {
        return SafeHtml.element("form")
                .with("method", "get")
                .with("action", action)
                .with("class", "search")
                .with("role", "search")
                .content(fields);
    }

    /** Builds the field for the reason, which goes to the audit trail. */
    static SafeHtml reason(String id) {
        return SafeHtml.element("p")
                .with("class", "field")
                .content(
                        SafeHtml.element("label").with("for", id).content("Reason (audited)"),
                        SafeHtml.element("input")
                                .with("type", "text")
                                .with("id", id)
                                .with("name", "reason")
                                .with("maxlength", "500")
                                .with("autocomplete", "off")
                                .with("required")
                                .empty());
    }

    static SafeHtml button(String label) {
        return SafeHtml.element("p")
                .with("class", "field")
                .content(SafeHtml.element("button").content(label));
    }

    private static SafeHtml.Element field(String type, String name, String autocomplete) {
        return SafeHtml.element("input")
                .with("type", type)
                .with("name", name)
                .with("id", name)
                .with("autocomplete", autocomplete);
    }

    private static SafeHtml labelled(String name, String label, SafeHtml field) {
        return SafeHtml.element("p")
                .with("class", "field")
                .content(SafeHtml.element("label").with("for", name).content(label), field);
    }
}
