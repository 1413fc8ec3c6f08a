package dev.refrain.trials.kills;

import dev.refrain.trials.kills.Orders.Role;
import java.nio.file.Path;

/** What all processes of a trial share. */
record Setup(Path folder, Place place, Provider provider, Plan plan) {

    Orders serving(Path journal, long seed) {
        return new Orders(Role.SERVE, place, journal, provider.port(), plan, seed, Path.of(""));
    }

    Orders finishing(Path journal, Path keys) {
        return new Orders(Role.FINISH, place, journal, provider.port(), plan, 0, keys);
    }
}
