package dev.refrain.trials.kills;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Arguments of a child process.
 *
 *
 * @param keys the file with all keys, for the process that brings them to an end
 */
record ChildArguments(
        Role role, TrialDatabase place, Path journal, int providerPort, KeySchedule plan, long seed, Path keys) {

    enum Role {
        /** Serves customers until it is killed. */
        SERVE,
        /** Brings every key to an end, then ends itself. */
        FINISH
    }

    List<String> asArguments() {
        return List.of(
                "role=" + role,
                "place=" + place.url(),
                "journal=" + journal,
                "provider=" + providerPort,
                "begun=" + plan.begun(),
                "keysPerSecond=" + plan.keysPerSecond(),
                "window=" + plan.window(),
                "seed=" + seed,
                "keys=" + keys);
    }

    static ChildArguments of(String[] arguments) {
        Map<String, String> by = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return new ChildArguments(
                Role.valueOf(by.get("role")),
                new TrialDatabase(by.get("place")),
                Path.of(by.get("journal")),
                Integer.parseInt(by.get("provider")),
                new KeySchedule(
                        Long.parseLong(by.get("begun")),
                        Integer.parseInt(by.get("keysPerSecond")),
                        Integer.parseInt(by.get("window"))),
                Long.parseLong(by.get("seed")),
                Path.of(by.get("keys")));
    }
}
