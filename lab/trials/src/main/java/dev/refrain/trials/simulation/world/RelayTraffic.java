package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Application that stages messages, some of which stall whoever delivers them. */
final class RelayTraffic {

    private final SimulatedWorld world;
    private final SeededRandom chance;
    private final RelayPlan plan;

    RelayTraffic(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
        plan = world.plan().relays().orElseThrow();
    }

    void stage(String topic) {
        for (int i = 0; i < plan.messages(); i++) {
            if (chance.oneIn(3)) {
                world.outside().sleep(chance.upTo(Duration.ofSeconds(4)));
            }
            String kind = chance.oneIn(plan.stallOneIn())
                    ? SimulatedRelays.STALLS
                    : chance.oneIn(plan.stallOneIn()) ? SimulatedRelays.FAILS : "quick ";
            String body = kind + i;
            world.database()
                    .messages()
                    .add(new StagedMessage(
                            chance.uuid(), topic, line(), Payload.of(body.getBytes(StandardCharsets.UTF_8))));
        }
    }

    private @Nullable String line() {
        return chance.oneIn(3) ? null : "line" + chance.below(plan.lines());
    }
}
