package dev.refrain.http.servlet;

import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The steps of a request in the words of a servlet container. One per request. */
final class ServletTranslation implements RequestStep.BlockingTranslation<IOException> {

    private final ScopeResolver scopes;
    private HttpServletRequest request;

    ServletTranslation(HttpServletRequest request, ScopeResolver scopes) {
        this.request = request;
        this.scopes = scopes;
    }

    /** The request as the handler expects it, its body there to be read. */
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
        return scopes.scopeOf(request).map(step::known).orElseGet(step::unknown);
    }

    @Override
    public RequestStep readBody(RequestStep.ReadBody step) throws IOException {
        var body = ServletRequestBody.read(request, step.maxBytes());
        request = body.unread();
        return switch (body) {
            case ServletRequestBody.Whole whole -> step.whole(whole.bytes());
            case ServletRequestBody.TooLarge large -> step.tooLarge();
        };
    }
}
