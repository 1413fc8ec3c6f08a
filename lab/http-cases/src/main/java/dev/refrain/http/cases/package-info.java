/** The cases of the HTTP contract: given, when, then; over real sockets, for every edge. */
@NullMarked
package dev.refrain.http.cases;

import org.jspecify.annotations.NullMarked;
