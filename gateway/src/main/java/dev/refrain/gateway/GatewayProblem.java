package dev.refrain.gateway;

import dev.refrain.http.edge.ProblemType;
import java.util.Locale;

/** The problems that only a gateway has: other services are behind it, and it also serves requests that no route covers. */
enum GatewayProblem implements ProblemType {
    KEY_NOT_HONOURED(400, false, "Idempotency keys are not honoured for this request."),
    UPSTREAM_UNREACHABLE(502, true, "The service behind cannot be reached; nothing was sent to it."),
    UPSTREAM_BUSY(503, true, "The service behind has too much to do; nothing was sent to it."),
    UPSTREAM_UNANSWERED(
            504, true, "The service behind gave no answer; it knows this key, so the same request may be sent again."),
    UPSTREAM_SILENT(504, false, "The service behind gave no answer; whether the request took effect is not known.");

    private final int status;
    private final boolean retryable;
    private final String title;

    GatewayProblem(int status, boolean retryable, String title) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
