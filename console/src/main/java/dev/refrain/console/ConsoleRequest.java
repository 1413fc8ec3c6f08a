package dev.refrain.console;

import java.util.Map;
import java.util.Optional;

/**
 * A request to the console, as its host read it.
 *
 * @param path below the place where the console is mounted, beginning with a slash
 * @param mount where the console is mounted, without a slash at the end; empty for the root
 * @param query of the URL, decoded; of a name that is given twice the first
 * @param form of a form that was sent, decoded; empty for other requests
 * @param headers with names in lower case; of one that is given twice the first
 * @param secure whether it came over TLS, here or at a proxy that the host trusts
 * @param hostUser whom the host has let in, where the host does that
 * @param hostFormFields what the host wants to find in every form that is sent, such as a token of its own
 */
public record ConsoleRequest(
        String method,
        String path,
        String mount,
        Map<String, String> query,
        Map<String, String> form,
        Map<String, String> headers,
        boolean secure,
        Optional<String> hostUser,
        Map<String, String> hostFormFields) {

    /** The longest form that a host has to read. */
    public static final int MAX_FORM_BYTES = 1 << 20;

    public ConsoleRequest {
        query = Map.copyOf(query);
        form = Map.copyOf(form);
        headers = Map.copyOf(headers);
        hostFormFields = Map.copyOf(hostFormFields);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** A field of the query that says something. */
    Optional<String> queryParameter(String name) {
        return Optional.ofNullable(query.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** A field of the form that says something. */
    Optional<String> formField(String name) {
        return Optional.ofNullable(form.get(name)).filter(value -> !value.isBlank());
    }

    Optional<String> cookie(String name) {
        for (String pair : header("cookie").orElse("").split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                return Optional.of(pair.substring(equals + 1).strip());
            }
        }
        return Optional.empty();
    }
}
