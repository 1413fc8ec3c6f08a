package dev.refrain.verify;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * Counts how often requests took effect since this counter was created: by the API's own count if there is one,
 * otherwise by the number of different responses.
 */
final class EffectCounter {

    private final VerifyCaseContext context;
    private final OptionalLong before;
    private long expectedEffects = 1;

    EffectCounter(VerifyCaseContext context) {
        this.context = context;
        this.before = count();
    }

    /** Returns whether the API reports the number of effects itself. */
    boolean counts() {
        return before.isPresent();
    }

    /** Returns whether effects can be observed at all. */
    boolean canCount() {
        return before.isPresent() || context.observations().effectsAreDistinguishable();
    }

    /**
     * Checks the number of effects since creation.
     *
     * @param effects the expected number
     * @param answers all responses to the requests
     * @throws ExpectationFailedException if the number is another
     */
    void expect(int effects, List<VerifyResponse> answers, String expected) {
        expectedEffects = effects;
        var count = count();
        long counted = count.orElse(0) - before.orElse(0);
        if (count.isPresent() && counted != effects) {
            throw new ExpectationFailedException(
                    expected,
                    effects(counted) + " according to the API's own count"
                            + (counted < effects ? " (if this is a paged list, its length is not a count)" : ""));
        }
        long different = answers.stream()
                .filter(context::isFirstAnswer)
                .map(this::identity)
                .distinct()
                .count();
        boolean visible = context.observations().effectsAreDistinguishable();
        if (visible && different > effects) {
            throw new ExpectationFailedException(expected, different + " different responses");
        }
        if (visible && different > 0 && different < effects && count.isEmpty()) {
            throw new ExpectationFailedException(expected, "the same response for all of them");
        }
    }

    /**
     * Returns what a failure means, as far as the API's own count supports it: a wrong response to a request that took effect as often as it
     * should is no double charge. Empty if there is no count.
     *
     * @param consequence what the failure means if requests took effect, but not as often as they should
     */
    Optional<String> supportedHarm(ExpectationFailedException failure, String consequence) {
        var count = count();
        if (before.isEmpty() || count.isEmpty()) {
            return Optional.empty();
        }
        long counted = count.getAsLong() - before.getAsLong();
        if (counted == expectedEffects && !failure.isOfResponseAlone()) {
            return Optional.empty();
        }
        if (counted <= 0 && expectedEffects > 0) {
            return Optional.of(effects(counted) + " by the API's own count, instead of " + expectedEffects
                    + ". Nothing took effect too often: what was sent is lost, or the count does not see it.");
        }
        return Optional.of(
                counted == expectedEffects
                        ? "Nothing took effect too often: " + effects(counted)
                                + " by the API's own count, as it should be. But the response is wrong, so that a client cannot tell what"
                                + " happened to its request."
                        : effects(counted) + " by the API's own count, instead of " + expectedEffects + ". "
                                + consequence);
    }

    /** Verdict of a case in which no check failed. */
    CaseVerdict verdict() {
        return canCount()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "the responses are correct, but do not show how often the request took effect. Use --effects 'GET "
                                + "/…#/count'");
    }

    /** Text that distinguishes one effect from another. */
    String identity(VerifyResponse answer) {
        return context.subject()
                .effectCount()
                .id()
                .flatMap(pointer -> JsonBodyEditor.at(pointer, answer.text()))
                .map(JsonNode::toString)
                .orElseGet(() -> answer.header("Location").orElse("") + '\n' + answer.bytes());
    }

    private OptionalLong count() {
        var counter = context.subject().effectCount().counter();
        if (counter.isEmpty()) {
            return OptionalLong.empty();
        }
        var answer = context.get(counter.get().route(), Optional.empty());
        return OptionalLong.of(
                answer.status() != 200
                        ? failCounting(answer)
                        : JsonBodyEditor.at(counter.get().at(), answer.text())
                                .filter(node -> node.isIntegralNumber() || node.isArray())
                                .map(node -> node.isArray() ? node.size() : node.longValue())
                                .orElseGet(() -> failCounting(answer)));
    }

    private long failCounting(VerifyResponse answer) {
        throw new InvalidVerifySettingsException("Cannot count the effects: expected "
                + context.subject()
                        .effectCount()
                        .counter()
                        .map(counter -> counter.route() + " with a number or a list at '" + counter.at() + "'")
                        .orElse("")
                + ", but got " + context.formatter().answer(answer));
    }

    private static String effects(long count) {
        return count == 1 ? "1 effect" : count + " effects";
    }
}
