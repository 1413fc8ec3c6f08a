/** The walk of a request at an HTTP edge: key, decision, handler, stored answer. For authors of edges. */
@NullMarked
package dev.refrain.http.edge;

import org.jspecify.annotations.NullMarked;
