package dev.refrain.trials.kills;

import dev.refrain.trials.kills.ChildArguments.Role;
import java.nio.file.Path;

/** Resources that all processes of a trial share. */
record TrialSetup(Path folder, TrialDatabase place, TrialProvider provider, KeySchedule plan) {

    ChildArguments serving(Path journal, long seed) {
        return new ChildArguments(Role.SERVE, place, journal, provider.port(), plan, seed, Path.of(""));
    }

    ChildArguments finishing(Path journal, Path keys) {
        return new ChildArguments(Role.FINISH, place, journal, provider.port(), plan, 0, keys);
    }
}
