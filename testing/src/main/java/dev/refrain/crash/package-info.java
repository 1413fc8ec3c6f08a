/**
 * Crash tests: an application is killed at every crash point of one request, and doubled or lost effects are reported. Begin with {@link
 * dev.refrain.crash.CrashMatrix}.
 */
@NullMarked
package dev.refrain.crash;

import org.jspecify.annotations.NullMarked;
