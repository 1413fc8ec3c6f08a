/**
 * Crashes an application at every boundary of one request, one after the other, and tells where an effect doubled or was lost. Begin at
 * {@link dev.refrain.crash.CrashMatrix}.
 */
@NullMarked
package dev.refrain.crash;

import org.jspecify.annotations.NullMarked;
