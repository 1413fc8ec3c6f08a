package dev.refrain.gateway;

import dev.refrain.http.edge.ProblemType;
import java.util.Locale;

/** The problems of a gateway, behind which there is another failure domain. */
enum UpstreamProblem implements ProblemType {
    UNREACHABLE(502, true, "The service behind cannot be reached; nothing was sent to it."),
    UNANSWERED(
            504, true, "The service behind gave no answer; it knows this key, so the same request may be sent again."),
    SILENT(504, false, "The service behind gave no answer; whether the request took effect is not known.");

    private final int status;
    private final boolean retryable;
    private final String title;

    UpstreamProblem(int status, boolean retryable, String title) {
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
        return "upstream-" + name().toLowerCase(Locale.ROOT);
    }
}
