/** Writes records and kept requests as JSON; for Refrain's own edges and tools. */
@NullMarked
package dev.refrain.http.internal.json;

import org.jspecify.annotations.NullMarked;
