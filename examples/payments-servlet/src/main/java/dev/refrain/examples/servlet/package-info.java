/** Payments API in one servlet. */
@NullMarked
package dev.refrain.examples.servlet;

import org.jspecify.annotations.NullMarked;
