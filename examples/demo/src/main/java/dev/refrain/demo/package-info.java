/** Demo of a shop and its bank: the failures between them, with and without protection. */
@NullMarked
package dev.refrain.demo;

import org.jspecify.annotations.NullMarked;
