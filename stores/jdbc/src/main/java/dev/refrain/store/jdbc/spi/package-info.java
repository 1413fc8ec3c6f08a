/** Integration of transaction managers such as Spring's. */
@NullMarked
package dev.refrain.store.jdbc.spi;

import org.jspecify.annotations.NullMarked;
