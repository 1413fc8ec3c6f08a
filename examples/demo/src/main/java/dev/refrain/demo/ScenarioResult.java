package dev.refrain.demo;

import java.util.List;

/** A scenario that was played, on both sides. */
record ScenarioResult(DemoScenario scenario, ScenarioVariantResult guarded, ScenarioVariantResult bare) {

    List<String> wrongs() {
        return guarded.violations(scenario.expected());
    }
}
