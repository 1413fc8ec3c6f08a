/** Fourth step: running an operation, transactional or leased, and the lanes to the store. */
@NullMarked
package dev.refrain.run;

import org.jspecify.annotations.NullMarked;
