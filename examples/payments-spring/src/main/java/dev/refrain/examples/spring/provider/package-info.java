/** A small bank, to be run as a process of its own. */
@NullMarked
package dev.refrain.examples.spring.provider;

import org.jspecify.annotations.NullMarked;
