/** Child processes of the example. */
@NullMarked
package dev.refrain.examples.spring.process;

import org.jspecify.annotations.NullMarked;
