package dev.refrain.gateway;

import dev.refrain.http.edge.EdgeProblem;
import dev.refrain.http.edge.ProblemType;
import dev.refrain.http.edge.ResponseOrigin;
import java.util.Locale;
import org.eclipse.jetty.server.Request;

/** What became of a request, in the words of the access log. The answers say it, see {@link ResponseOrigin}. */
enum GatewayRequestOutcome {
    /** It was not protected. */
    PASSED,
    /** It was not protected although it has a key: no route covers it. */
    UNPROTECTED,
    /** It was refused before anything was claimed, or nothing could be asked. */
    REFUSED,
    /** It went to the service behind. */
    FIRST,
    /** It had been done, and its answer was given again. */
    REPLAYED,
    /** The same, after a wait. */
    WAITED,
    /** The same request was under way. */
    CONFLICT,
    /** Its key had been used for another request. */
    MISMATCH,
    /** Whether it took effect is not known. */
    ATTENTION,
    /** The service behind could not be reached, or did not answer and may be asked again. */
    UNREACHED,
    /** The gateway answers it by itself: with its contract, the status of a key, or because it is no request that could go on. */
    OWN;

    private static final String ATTRIBUTE = GatewayRequestOutcome.class.getName();

    void attachTo(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** What is known of a request so far. */
    static GatewayRequestOutcome from(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof GatewayRequestOutcome known ? known : OWN;
    }

    /** The word for what an answer is. */
    static GatewayRequestOutcome of(ResponseOrigin origin) {
        return switch (origin) {
            case ResponseOrigin.RanNow ran -> FIRST;
            case ResponseOrigin.StoredReplay replay -> replay.waited() ? WAITED : REPLAYED;
            case ResponseOrigin.StillRunning running -> CONFLICT;
            case ResponseOrigin.RefusedFor refused -> of(refused.problem());
            case ResponseOrigin.PassedUnprotected passed -> PASSED;
            case ResponseOrigin.OnlyObserved observed -> PASSED;
            case ResponseOrigin.OwnPage page -> OWN;
        };
    }

    private static GatewayRequestOutcome of(ProblemType problem) {
        return switch (problem) {
            case EdgeProblem.KEY_REUSED -> MISMATCH;
            case EdgeProblem.OUTCOME_UNKNOWN -> ATTENTION;
            default -> REFUSED;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
