/**
 * Engine for work in phases, on which flows are built: each phase commits its writes together with its recovery point, and other
 * systems are called between phases. Applications use {@code dev.refrain.flow} instead; other runners start at {@link
 * dev.refrain.Operation#phased}.
 */
@NullMarked
package dev.refrain.phase;

import org.jspecify.annotations.NullMarked;
