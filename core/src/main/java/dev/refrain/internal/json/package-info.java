/**
 * Reads and writes JSON without a library: for fingerprints, where what is accepted is part of the stored encoding, and for the HTTP edges,
 * which run in applications with Jackson 2, Jackson 3 or none.
 */
@NullMarked
package dev.refrain.internal.json;

import org.jspecify.annotations.NullMarked;
