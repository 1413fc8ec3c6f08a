/** A shop, its bank and what goes wrong between them, with protection and without. */
@NullMarked
package dev.refrain.demo;

import org.jspecify.annotations.NullMarked;
