/** Background tasks that settle expired leases and delete expired records. */
@NullMarked
package dev.refrain.internal.recover;

import org.jspecify.annotations.NullMarked;
