/** What the tests of the core share: time, threads and a store in the test's hand. */
@NullMarked
package dev.refrain.testing;

import org.jspecify.annotations.NullMarked;
