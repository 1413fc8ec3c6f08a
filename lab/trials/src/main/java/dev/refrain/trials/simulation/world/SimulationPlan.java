package dev.refrain.trials.simulation.world;

import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.law.SimulationEvent.Acted;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Plan of a world: small, with few keys and short times, so that duplicates, takeovers, mismatches and expiry are common.
 *
 *
 * @param acts when there is traffic. The second begins as the outcomes of the first are about to expire, which the protocol
 *     allows an hour after their completion at the earliest; in between next to nothing happens.
 */
record SimulationPlan(
        int nodes,
        int clients,
        int callsPerAct,
        List<SimulatedOperation> services,
        List<String> scopes,
        List<String> keys,
        CacheSettings cache,
        RefrainSettings.MaintenanceSchedule chores,
        OptionalLong quota,
        CompleterSettings completion,
        SimulatedDownstream.DownstreamTraits hooks,
        FaultRates faults,
        List<Act> acts,
        Optional<SagaPlan> sagas,
        Optional<LedgerPlan> ledgers,
        Optional<RelayPlan> relays) {

    private static final Duration ACT = Duration.ofSeconds(60);
    private static final Duration TO_COME_TO_REST = Duration.ofMinutes(5);

    /** Time for a saga to be given up by its completer and decided by a person, several times over. */
    private static final Duration FOR_SAGAS_TO_REST = Duration.ofMinutes(15);

    record Act(Duration from, Duration until) {}

    static SimulationPlan by(SeededRandom chance) {
        boolean flows = chance.oneIn(2);
        var services = new ArrayList<SimulatedOperation>();
        int count = chance.between(1, 3);
        for (int i = 0; i < count; i++) {
            services.add(flows ? SimulatedOperation.flow(chance, "flow" + i) : SimulatedOperation.by(chance, "op" + i));
        }
        var second = Retention.AFTER_COMPLETION.plus(chance.between(Duration.ofSeconds(-10), ACT));
        return new SimulationPlan(
                chance.between(1, 4),
                chance.between(2, 8),
                chance.between(1, 4),
                List.copyOf(services),
                chance.oneIn(2) ? List.of("ann") : List.of("ann", "bob"),
                names("key", chance.between(1, 3)),
                new CacheSettings(1 << 16, chance.oneIn(2) ? Duration.ofSeconds(5) : Duration.ofHours(3)),
                new RefrainSettings.MaintenanceSchedule(
                        chance.between(Duration.ofSeconds(10), Duration.ofSeconds(60)),
                        chance.upTo(Duration.ofSeconds(10)),
                        chance.between(Duration.ofSeconds(20), Duration.ofSeconds(300))),
                flows || !chance.oneIn(4) ? OptionalLong.empty() : OptionalLong.of(chance.between(2, 4)),
                new CompleterSettings(
                        chance.between(Duration.ofSeconds(5), Duration.ofSeconds(20)),
                        chance.upTo(Duration.ofSeconds(10)),
                        chance.between(Duration.ofSeconds(1), Duration.ofSeconds(2)),
                        6,
                        chance.between(1, 3)),
                hooks(chance),
                FaultRates.by(chance),
                List.of(new Act(Duration.ZERO, ACT), new Act(second, second.plus(ACT))),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Plans a world of sagas: with the same processes, completers and faults, and one act, since nothing in it expires. */
    static SimulationPlan ofSagas(SeededRandom chance) {
        var usual = by(chance);
        return usual.with(Optional.of(SagaPlan.by(chance)), Optional.empty(), Optional.empty());
    }

    /** Plans a world of transfers with a reconciler. */
    static SimulationPlan ofLedgers(SeededRandom chance) {
        var usual = by(chance);
        return usual.with(Optional.empty(), Optional.of(LedgerPlan.by(chance)), Optional.empty());
    }

    /** Plans a world of relays whose deliveries stall for longer than their leases. */
    static SimulationPlan ofRelays(SeededRandom chance) {
        var usual = by(chance);
        return usual.with(Optional.empty(), Optional.empty(), Optional.of(RelayPlan.by(chance)));
    }

    private SimulationPlan with(
            Optional<SagaPlan> sagasOfIt, Optional<LedgerPlan> ledgersOfIt, Optional<RelayPlan> relaysOfIt) {
        return new SimulationPlan(
                nodes,
                clients,
                callsPerAct,
                List.of(),
                List.of(SagaPlan.SCOPE),
                List.of(),
                cache,
                chores,
                OptionalLong.empty(),
                completion,
                hooks,
                relaysOfIt.isPresent() ? faults.ofProcessesAlone() : faults,
                List.of(acts.getFirst()),
                sagasOfIt,
                ledgersOfIt,
                relaysOfIt);
    }

    private static SimulatedDownstream.DownstreamTraits hooks(SeededRandom chance) {
        return new SimulatedDownstream.DownstreamTraits(
                SimulatedMessaging.HOOKS,
                chance.pick(List.of(SimulatedGuarantee.values())),
                Acted.By.RELAY,
                chance.between(Duration.ofSeconds(32), Duration.ofSeconds(120)),
                chance.between(Duration.ofSeconds(2), Duration.ofSeconds(5)));
    }

    List<ScopedKey> identities() {
        var all = new ArrayList<ScopedKey>();
        sagas.ifPresent(plan -> all.addAll(plan.orders()));
        ledgers.ifPresent(plan -> all.addAll(plan.transfers()));
        for (var scope : scopes) {
            for (var service : services) {
                keys.forEach(key -> all.add(new ScopedKey(scope, service.name(), key)));
            }
        }
        return List.copyOf(all);
    }

    /** Returns the time at which faults stop. */
    Duration calmFrom() {
        return acts.getLast().until().plus(Duration.ofSeconds(10));
    }

    Duration end() {
        return calmFrom().plus(sagas.isPresent() ? FOR_SAGAS_TO_REST : TO_COME_TO_REST);
    }

    private static List<String> names(String prefix, int count) {
        var names = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + i);
        }
        return List.copyOf(names);
    }
}
