package dev.refrain.crash;

import java.util.ArrayList;
import java.util.List;

/** Checks effects after a crash, and collects those that are wrong. Not thread-safe. */
public final class EffectChecks {

    private final List<String> findings = new ArrayList<>();

    EffectChecks() {}

    /** Requires an effect to have happened once. */
    public void once(String effect, long times) {
        exactly(effect, 1, times);
    }

    /** Requires an effect to have happened so many times. */
    public void exactly(String effect, long expected, long times) {
        if (times > expected) {
            findings.add(effect + " doubled: " + times + " instead of " + expected);
        } else if (times < expected) {
            findings.add(effect + " lost: " + times + " instead of " + expected);
        }
    }

    /** Requires an effect not to have happened more than once. */
    public void atMostOnce(String effect, long times) {
        if (times > 1) {
            findings.add(effect + " doubled: " + times + " instead of at most 1");
        }
    }

    /**
     * Requires a condition to hold.
     *
     * @param otherwise the finding if it does not
     */
    public void require(boolean holds, String otherwise) {
        if (!holds) {
            findings.add(otherwise);
        }
    }

    void failed(String doing, Throwable failure) {
        findings.add(doing + ": " + failure);
    }

    List<String> findings() {
        return List.copyOf(findings);
    }
}
