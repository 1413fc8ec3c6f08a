package dev.refrain.verify;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * How often something took effect since this was made: by the API's own count where it tells one, otherwise by how many different
 * answers there are.
 */
final class EffectCounter {

    private final VerifyCaseContext lab;
    private final OptionalLong before;

    EffectCounter(VerifyCaseContext lab) {
        this.lab = lab;
        this.before = count();
    }

    /** Whether the API itself tells how many there are. */
    boolean counts() {
        return before.isPresent();
    }

    /** Whether effects can be seen at all. */
    boolean canCount() {
        return before.isPresent() || lab.observations().effectsAreDistinguishable();
    }

    /**
     * @param effects how many there must be
     * @param answers all that came back for them
     */
    void expect(int effects, List<VerifyResponse> answers, String expected) {
        var count = count();
        long counted = count.orElse(0) - before.orElse(0);
        if (count.isPresent() && counted != effects) {
            throw new ExpectationFailedException(
                    expected,
                    effects(counted) + " by the API's own count"
                            + (counted < effects ? " (if that is a list in pages, its length is no count)" : ""));
        }
        long different = answers.stream()
                .filter(lab::isFirstAnswer)
                .map(this::identity)
                .distinct()
                .count();
        boolean visible = lab.observations().effectsAreDistinguishable();
        if (visible && different > effects) {
            throw new ExpectationFailedException(expected, different + " different answers");
        }
        if (visible && different > 0 && different < effects && count.isEmpty()) {
            throw new ExpectationFailedException(expected, "the same answer for all of them");
        }
    }

    /** What holds if nothing was found to be wrong. */
    CaseVerdict verdict() {
        return canCount()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "the answers are as they should be; how often it took effect cannot be seen in them. Say --effects 'GET /…#/count'");
    }

    /** What tells one effect from another. */
    String identity(VerifyResponse answer) {
        return lab.subject()
                .effectCount()
                .id()
                .flatMap(pointer -> JsonBodyEditor.at(pointer, answer.text()))
                .map(JsonNode::toString)
                .orElseGet(() -> answer.header("Location").orElse("") + '\n' + answer.bytes());
    }

    private OptionalLong count() {
        var counter = lab.subject().effectCount().counter();
        if (counter.isEmpty()) {
            return OptionalLong.empty();
        }
        var answer = lab.get(counter.get().route(), Optional.empty());
        return OptionalLong.of(
                answer.status() != 200
                        ? uncounted(answer)
                        : JsonBodyEditor.at(counter.get().at(), answer.text())
                                .filter(node -> node.isIntegralNumber() || node.isArray())
                                .map(node -> node.isArray() ? node.size() : node.longValue())
                                .orElseGet(() -> uncounted(answer)));
    }

    private long uncounted(VerifyResponse answer) {
        throw new InvalidVerifySettingsException("The effects cannot be counted: "
                + lab.subject()
                        .effectCount()
                        .counter()
                        .map(counter -> counter.route() + " with a number or a list at '" + counter.at() + "'")
                        .orElse("")
                + " answered " + lab.formatter().answer(answer));
    }

    private static String effects(long count) {
        return count == 1 ? "1 effect" : count + " effects";
    }
}
