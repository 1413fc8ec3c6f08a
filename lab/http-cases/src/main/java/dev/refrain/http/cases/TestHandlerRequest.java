package dev.refrain.http.cases;

import dev.refrain.api.Claim;
import java.util.Map;
import java.util.Optional;

/**
 * Request as the handler saw it.
 *
 *
 * @param body as Latin-1
 * @param parameters of query and form, the first value of each
 * @param claim under which it runs, if it is protected
 */
public record TestHandlerRequest(
        String method, String path, String body, Map<String, String> parameters, Optional<Claim> claim) {}
