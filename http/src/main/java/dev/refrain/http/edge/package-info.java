/** SPI for HTTP edges: the walk of a request from its key over the decision and the handler to the stored response. */
@NullMarked
package dev.refrain.http.edge;

import org.jspecify.annotations.NullMarked;
