package dev.refrain.console;

import java.util.List;

/** The parts of forms. Every field has a label that is tied to it. */
final class Fields {

    private Fields() {}

    static Html text(String name, String label, String value, String autocomplete) {
        return labelled(
                name,
                label,
                field("text", name, autocomplete)
                        .with("value", value)
                        .with("required")
                        .empty());
    }

    static Html input(String type, String name, String label, String autocomplete) {
        return labelled(
                name, label, field(type, name, autocomplete).with("required").empty());
    }

    /** One that may be left empty. */
    static Html optional(String type, String name, String label, String value) {
        return labelled(
                name, label, field(type, name, "off").with("value", value).empty());
    }

    static Html area(String name, String label) {
        return labelled(
                name,
                label,
                Html.element("textarea")
                        .with("name", name)
                        .with("id", name)
                        .with("rows", "4")
                        .content(""));
    }

    static Html choice(String name, String label, String chosen, List<String> values) {
        var options = values.stream()
                .map(value -> (value.equals(chosen)
                                ? Html.element("option").with("value", value).with("selected")
                                : Html.element("option").with("value", value))
                        .content(value.isEmpty() ? "any" : value))
                .toList();
        return labelled(
                name,
                label,
                Html.element("select").with("name", name).with("id", name).content(options));
    }

    /** A form that asks for a page and changes nothing. */
    static Html search(String place, Html... fields) {
        return Html.element("form")
                .with("method", "get")
                .with("action", place)
                .with("class", "search")
                .with("role", "search")
                .content(fields);
    }

    /** Why something is done: what is audited. */
    static Html reason(String id) {
        return Html.element("p")
                .with("class", "field")
                .content(
                        Html.element("label").with("for", id).content("Reason (audited)"),
                        Html.element("input")
                                .with("type", "text")
                                .with("id", id)
                                .with("name", "reason")
                                .with("maxlength", "500")
                                .with("autocomplete", "off")
                                .with("required")
                                .empty());
    }

    static Html button(String label) {
        return Html.element("p")
                .with("class", "field")
                .content(Html.element("button").content(label));
    }

    private static Html.Element field(String type, String name, String autocomplete) {
        return Html.element("input")
                .with("type", type)
                .with("name", name)
                .with("id", name)
                .with("autocomplete", autocomplete);
    }

    private static Html labelled(String name, String label, Html field) {
        return Html.element("p")
                .with("class", "field")
                .content(Html.element("label").with("for", name).content(label), field);
    }
}
