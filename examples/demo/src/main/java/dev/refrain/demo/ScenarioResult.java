package dev.refrain.demo;

import java.util.List;

/** Result of a scenario, with and without protection. */
record ScenarioResult(DemoScenario scenario, ScenarioVariantResult guarded, ScenarioVariantResult bare) {

    List<String> violations() {
        return guarded.violations(scenario.expected());
    }
}
