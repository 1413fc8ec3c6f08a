package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainListener;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The settings of one instance that its engine uses.
 *
 * @param maxKeysPerScope empty for no quota
 */
public record EngineSettings(
        ExecutionEnvironment environment,
        RefrainListener listener,
        long cacheMaxBytes,
        Duration cacheMaxAge,
        int waitersPerScope,
        int waitersPerInstance,
        OptionalLong maxKeysPerScope) {}
