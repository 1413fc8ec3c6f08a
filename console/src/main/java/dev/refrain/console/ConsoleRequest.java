package dev.refrain.console;

import java.util.Map;
import java.util.Optional;

/**
 * Request to the console, as read by its host. Immutable.
 *
 * @param path the path below the mount point, with a leading slash
 * @param mount the path where the console is mounted, without a trailing slash; empty for the root
 * @param query the decoded query; the first value of a repeated name
 * @param form the decoded fields of a submitted form; empty for other requests
 * @param headers the headers, with lower-case names; the first value of a repeated name
 * @param secure whether the request came over TLS, here or at a proxy that the host trusts
 * @param hostUser the user authenticated by the host, if it does that
 * @param hostFormFields fields that the host requires in every form, for example a token of its own
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

    /** Maximum size of a form that a host has to read. */
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

    /** Returns a query parameter, unless it is empty. */
    Optional<String> queryParameter(String name) {
        return Optional.ofNullable(query.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Returns a form field, unless it is blank. */
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
