package dev.refrain.demo;

import java.util.List;

/** A scenario that was played, on both sides. */
record Played(Scenario scenario, Seen guarded, Seen bare) {

    List<String> wrongs() {
        return guarded.violations(scenario.expected());
    }
}
