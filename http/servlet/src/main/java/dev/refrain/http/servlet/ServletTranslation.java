package dev.refrain.http.servlet;

import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Takes the steps of a request in a servlet container. One instance per request. */
final class ServletTranslation implements RequestStep.BlockingTranslation<IOException> {

    private final ScopeResolver scopes;
    private HttpServletRequest request;

    ServletTranslation(HttpServletRequest request, ScopeResolver scopes) {
        this.request = request;
        this.scopes = scopes;
    }

    /** Returns the request for the handler, its body still readable. */
    HttpServletRequest request() {
        return request;
    }

    static RequestHead head(HttpServletRequest request) {
        return new RequestHead(
                request.getMethod(),
                request.getRequestURI(),
                Optional.ofNullable(request.getQueryString()).orElse(""),
                Optional.ofNullable(request.getContentType()).orElse(""),
                name -> {
                    var values = request.getHeaders(name);
                    return values == null ? List.of() : Collections.list(values);
                });
    }

    @Override
    public RequestStep resolveScope(RequestStep.ResolveScope step) {
        var caller = request.getRemoteUser();
        return scopes.scopeOf(request)
                .map(scope -> caller == null ? step.known(scope) : step.known(scope, caller))
                .orElseGet(step::unknown);
    }

    @Override
    public RequestStep readBody(RequestStep.ReadBody step) throws IOException {
        var body = ServletRequestBody.read(request, step.maxBytes(), step.memory());
        request = body.unread();
        return switch (body) {
            case ServletRequestBody.Whole whole -> step.whole(whole.bytes());
            case ServletRequestBody.TooLarge large -> step.tooLarge();
            case ServletRequestBody.NoMemory full -> step.noMemory();
        };
    }
}
