package dev.refrain.trials.kills;

import static org.awaitility.Awaitility.await;

import dev.refrain.servers.KillableServer;
import dev.refrain.servers.LossyProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Trial on one database: processes serve, the parent kills them, then one healthy process finishes, and all promises are checked.
 *
 *
 * @param server killed as well, where there is one
 * @param network falls silent now and then, where there is one; then somebody holds locks of rows as well
 * @param length at least so long, and longer where the machine is so busy that too little happens in that time
 */
record KillTrial(
        String name,
        ChildJvmLauncher launcher,
        TrialDatabase place,
        Optional<KillableServer> server,
        Optional<LossyProxy> network,
        Duration length,
        long seed) {

    private static final Duration READY_WITHIN = Duration.ofMinutes(10);
    private static final Duration LONGER_AT_MOST = Duration.ofMinutes(10);
    private static final Duration FINISH_WITHIN = Duration.ofMinutes(10);

    TrialTally run(Path folder) throws Exception {
        place.createWorkTables();
        var plan = KeySchedule.beginningNow();
        var timeline = new KillTimeline(plan);
        try (var provider = new TrialProvider(folder.resolve("ledger"))) {
            var setup = new TrialSetup(folder, place, provider, plan);
            var journals = new ArrayList<Path>();
            try {
                journals.addAll(kill(setup, timeline));
                await().atMost(READY_WITHIN).until(provider::isQuiet);
                var evidence = TrialEvidence.gather(setup, journals, timeline);
                var findings = new TrialChecks(evidence);
                findings.checkAfterTheKilling();
                journals.add(finish(setup, timeline, evidence.keys()));
                evidence = TrialEvidence.gather(setup, journals, timeline);
                findings = findings.goingOnWith(evidence);
                findings.checkAtTheEnd();
                findings.throwIfAny();
                return TrialTally.of(name, evidence, timeline, provider.ledger().repeats());
            } catch (Throwable failure) {
                throw new AssertionError(
                        "The trial \"" + name + "\" failed; seed " + seed + ", folder " + folder + "\n" + timeline,
                        failure);
            }
        }
    }

    private List<TrialNuisance> nuisances(KillTimeline timeline) {
        return network.<List<TrialNuisance>>map(proxy -> List.of(
                        new RowLockHolder(place, timeline, new Random(seed + 1)),
                        new NetworkSilencer(proxy, timeline, new Random(seed + 2))))
                .orElse(List.of());
    }

    private boolean wasAnnoyed(KillTimeline timeline) {
        return network.isEmpty() || (timeline.rowLocks() > 0 && timeline.silences() > 0);
    }

    private ArrayList<Path> kill(TrialSetup setup, KillTimeline timeline) throws Exception {
        var nuisances = nuisances(timeline);
        try (var street = new KilledProcessPool(launcher, setup, timeline, new Random(seed));
                var havoc = DatabaseKiller.on(server, timeline, seed)) {
            await().atMost(READY_WITHIN).until(street::allReady);
            timeline.add("all tills are ready");
            havoc.begin();
            nuisances.forEach(TrialNuisance::begin);
            long end = System.nanoTime() + length.toNanos();
            while (System.nanoTime() - end < 0) {
                strike(street, havoc);
            }
            while (timeline.kills() < RequiredActivity.KILLS || !street.hasServedEnough() || !wasAnnoyed(timeline)) {
                if (System.nanoTime() - end > LONGER_AT_MOST.toNanos()) {
                    throw new AssertionError("Too little happened, however long it was waited for");
                }
                strike(street, havoc);
            }
            havoc.close();
            for (var nuisance : nuisances) {
                nuisance.close();
            }
            street.killAll();
            return new ArrayList<>(street.journals());
        }
    }

    private static void strike(KilledProcessPool street, DatabaseKiller havoc) throws Exception {
        // Not a hope: the moments of the kills are what is tried.
        Thread.sleep(street.rest());
        street.strike();
        havoc.requireWell();
    }

    private Path finish(TrialSetup setup, KillTimeline timeline, Set<String> keys) throws Exception {
        timeline.add("finishing");
        var journal = setup.folder().resolve("finish.journal");
        var list = Files.write(setup.folder().resolve("keys"), keys);
        var finisher = launcher.start("finish", setup.finishing(journal, list));
        try {
            finisher.awaitGoodEnd(FINISH_WITHIN);
        } finally {
            finisher.end();
        }
        timeline.add("finished");
        return journal;
    }
}
