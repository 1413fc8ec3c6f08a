/** Small bank that runs as a process of its own. */
@NullMarked
package dev.refrain.examples.spring.provider;

import org.jspecify.annotations.NullMarked;
