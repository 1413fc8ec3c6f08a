/** First step: what a key is, and the keys derived from it. */
@NullMarked
package dev.refrain.key;

import org.jspecify.annotations.NullMarked;
