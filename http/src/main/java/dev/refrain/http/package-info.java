/** The HTTP contract: which requests are protected, under which key, and what each of them is answered. No framework here. */
@NullMarked
package dev.refrain.http;

import org.jspecify.annotations.NullMarked;
