package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainListener;
import dev.refrain.observe.TraceIdSource;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Settings of one instance that its engine uses.
 *
 * @param instanceName how this process is called in the attempts of records
 * @param maxKeysPerScope empty for no quota
 */
public record EngineSettings(
        ExecutionEnvironment environment,
        String instanceName,
        TraceIdSource traceIds,
        RefrainListener listener,
        long cacheMaxBytes,
        Duration cacheMaxAge,
        int waitersPerScope,
        int waitersPerInstance,
        OptionalLong maxKeysPerScope) {}
