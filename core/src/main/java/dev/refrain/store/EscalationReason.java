package dev.refrain.store;

import dev.refrain.api.RecoveryPoint;
import java.util.List;
import java.util.Optional;

/**
 * Words the reason of a record that a store moves to ATTENTION by itself, from what the record shows. The same words on every store; a
 * store may write them when it moves the record or word them when somebody reads it.
 *
 * @param flow whether the record ever had a stored request or a recovery point
 * @param recoveryPoint last committed phase of a flow
 * @param steps steps under whose derived keys its operation is known to call other systems; for leased operations
 * @param lastEnd end reason of its last attempt of which that is known
 */
public record EscalationReason(
        boolean flow, Optional<RecoveryPoint> recoveryPoint, List<String> steps, Optional<String> lastEnd) {

    /** Returns the reason of a record whose lease ended, so that nobody knows whether it took effect. */
    public String ofEndedLease() {
        String calls =
                steps.isEmpty() ? "" : " It may have sent the calls of its steps: " + String.join(", ", steps) + ".";
        return "Its lease ended and nobody completed it."
                + (flow ? " " + standing() + "." : calls)
                + lastEnd.map(why -> " An earlier attempt ended: " + why + ".").orElse("");
    }

    /** Returns the reason of a record that completers have given up after this many attempts. */
    public String ofLastAttempt(int attempts) {
        return "It was taken up " + attempts + " times without its caller and never came to an end. " + standing()
                + lastEnd.map(why -> ". Its last attempt ended: " + why).orElse("") + ".";
    }

    private String standing() {
        return "It stands at "
                + recoveryPoint.map(point -> "point " + point.name()).orElse("its beginning")
                + (recoveryPoint.filter(RecoveryPoint::callMayBeSent).isPresent()
                        ? ", whose call was announced and may have been sent"
                        : "");
    }
}
