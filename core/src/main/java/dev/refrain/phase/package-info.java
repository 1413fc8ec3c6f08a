/**
 * Work in phases, the ground that flows are built on: each phase commits what it wrote together with its recovery point, and other systems are
 * called between phases. Applications use {@code dev.refrain.flow} instead; whoever builds another such runner starts at {@link
 * dev.refrain.Operation#phased}.
 */
@NullMarked
package dev.refrain.phase;

import org.jspecify.annotations.NullMarked;
