/** Parsing of settings shared by the edges of this project. */
@NullMarked
package dev.refrain.http.internal;

import org.jspecify.annotations.NullMarked;
