package dev.refrain.console;

import java.util.List;

/** The parts of forms. Every field has a label that is tied to it. */
final class FormFields {

    private FormFields() {}

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

    /** One that may be left empty. */
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

    /** A form that asks for a page and changes nothing. */
    static SafeHtml search(String place, SafeHtml... fields) {
        return SafeHtml.element("form")
                .with("method", "get")
                .with("action", place)
                .with("class", "search")
                .with("role", "search")
                .content(fields);
    }

    /** Why something is done: what is audited. */
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
