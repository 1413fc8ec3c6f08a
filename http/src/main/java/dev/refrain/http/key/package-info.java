/** Where a request's key stands, and how it is read. */
@NullMarked
package dev.refrain.http.key;

import org.jspecify.annotations.NullMarked;
