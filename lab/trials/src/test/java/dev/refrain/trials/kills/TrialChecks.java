package dev.refrain.trials.kills;

import dev.refrain.store.RecordState;
import dev.refrain.trials.kills.JournalEntry.Kind;
import dev.refrain.trials.kills.TrialEvidence.Witnessed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks of all promises against the evidence. Collects every violation rather than stopping at the first. */
final class TrialChecks {

    private static final int SHOWN = 10;

    /** Ends of work as its own process sees them. */
    private static final Set<Kind> ENDS =
            EnumSet.of(Kind.RAN, Kind.REPLAYED, Kind.FAILED, Kind.UNKNOWN, Kind.STORE_AWAY);

    private final TrialEvidence evidence;

    /** Violations, with the evidence. */
    private final Map<String, String> wrong;

    private final Map<String, List<String>> effects = new HashMap<>();

    TrialChecks(TrialEvidence evidence) {
        this(evidence, new LinkedHashMap<>());
    }

    private TrialChecks(TrialEvidence evidence, Map<String, String> wrong) {
        this.evidence = evidence;
        this.wrong = wrong;
        evidence.payments().forEach(p -> effect(p.key(), p.effect()));
        evidence.effects().forEach(e -> effect(e.key(), e.charge()));
    }

    private void effect(String key, String effect) {
        effects.computeIfAbsent(key, k -> new ArrayList<>()).add(effect);
    }

    TrialChecks goingOnWith(TrialEvidence later) {
        return new TrialChecks(later, wrong);
    }

    /** Checks what must hold at any moment, whichever processes are dead. */
    void checkAfterTheKilling() {
        evidence.integrity().forEach((what, count) -> {
            if (count != 0) {
                wrong.put(count + " " + what, "");
            }
        });
        effects.forEach((key, list) -> require(list.size() == 1, key, "took effect " + list.size() + " times"));
        evidence.answers().forEach(this::checkAnswers);
        evidence.answers().forEach(this::checkClosed);
        evidence.answers().forEach(this::checkFences);
        evidence.effects().stream()
                .filter(effect -> !effect.derived().equals(ProviderLedger.NO_KEY))
                .forEach(this::checkDerivedKey);
    }

    private void checkAnswers(String key, List<Witnessed> all) {
        all.stream()
                .filter(w -> w.entry().kind() == Kind.WRONG)
                .forEach(w ->
                        require(false, key, w.process() + " saw: " + w.entry().detail()));
        var answers = all.stream()
                .map(Witnessed::entry)
                .filter(JournalEntry::isAnswer)
                .map(JournalEntry::detail)
                .collect(Collectors.toSet());
        require(answers.size() <= 1, key, "was answered with " + answers.size() + " different answers");
        require(
                all.stream().filter(w -> w.entry().kind() == Kind.RAN).count() <= 1,
                key,
                "was answered as run more than once");
        if (!answers.isEmpty()) {
            var row = evidence.records().get(key);
            require(row != null && row.state() == RecordState.COMPLETED, key, "was answered but is not completed");
            var answer = all.stream()
                    .map(Witnessed::entry)
                    .filter(JournalEntry::isAnswer)
                    .findFirst()
                    .orElseThrow();
            require(
                    effects.getOrDefault(key, List.of()).contains(answer.effect()),
                    key,
                    "was answered with an effect that is nowhere: " + answer.effect());
        }
    }

    /** Checks that a graceful end left no work with an unknown outcome. */
    private void checkClosed(String key, List<Witnessed> all) {
        for (String process : evidence.closed()) {
            var own = all.stream()
                    .filter(w -> w.process().equals(process))
                    .map(Witnessed::entry)
                    .toList();
            long begun = own.stream()
                    .filter(e -> e.kind() == Kind.BEGUN || e.kind() == Kind.TAKEN_OVER)
                    .count();
            long ended = own.stream().filter(e -> ENDS.contains(e.kind())).count();
            require(begun <= ended, key, process + " was closed in peace and left it begun");
        }
    }

    /** Checks that no two runs have the same fence. */
    private void checkFences(String key, List<Witnessed> all) {
        if (KeySchedule.modeOf(key) != TrialMode.TRANSACTIONAL) {
            var fences = all.stream()
                    .map(Witnessed::entry)
                    .filter(e -> e.kind() == Kind.BEGUN || e.kind() == Kind.TAKEN_OVER)
                    .map(JournalEntry::detail)
                    .toList();
            require(Set.copyOf(fences).size() == fences.size(), key, "was run twice under one fence");
        }
    }

    private void checkDerivedKey(ProviderLedger.Effect effect) {
        var row = evidence.records().get(effect.key());
        require(
                row != null && row.id().keyFor("charge").equals(effect.derived()),
                effect.key(),
                "was sent under a key that is not its record's");
    }

    /** Checks what must hold after a healthy process has finished everything. */
    void checkAtTheEnd() {
        checkAfterTheKilling();
        for (String key : evidence.keys()) {
            var row = evidence.records().get(key);
            require(row != null && row.state() == RecordState.COMPLETED, key, "did not end completed");
            require(effects.containsKey(key), key, "has no effect");
            require(
                    evidence.of(key).stream().anyMatch(w -> w.entry().kind() == Kind.REPLAYED),
                    key,
                    "was never replayed");
        }
    }

    private void require(boolean holds, String key, String what) {
        if (!holds) {
            wrong.put(key + " " + what, evidence.about(key));
        }
    }

    void throwIfAny() {
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong.size() + " promises broken:\n"
                    + wrong.entrySet().stream()
                            .limit(SHOWN)
                            .map(one -> one.getKey() + "\n" + one.getValue())
                            .collect(Collectors.joining("\n")));
        }
    }
}
