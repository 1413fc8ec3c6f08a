package dev.refrain.crash;

import java.util.ArrayList;
import java.util.List;

/** Collects what is not as it should be after a crash. Not thread-safe. */
public final class EffectChecks {

    private final List<String> findings = new ArrayList<>();

    EffectChecks() {}

    /** An effect that must be there once. */
    public void once(String effect, long times) {
        exactly(effect, 1, times);
    }

    /** An effect that must be there so many times: none, where nothing was asked for yet. */
    public void exactly(String effect, long expected, long times) {
        if (times > expected) {
            findings.add(effect + " doubled: " + times + " instead of " + expected);
        } else if (times < expected) {
            findings.add(effect + " lost: " + times + " instead of " + expected);
        }
    }

    /** An effect that may be missing, because nobody can know whether it is there. */
    public void atMostOnce(String effect, long times) {
        if (times > 1) {
            findings.add(effect + " doubled: " + times + " instead of at most 1");
        }
    }

    /** @param otherwise what is wrong if it does not hold */
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
