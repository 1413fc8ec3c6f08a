/** Every refusal, as RFC 9457 has it. */
@NullMarked
package dev.refrain.http.problem;

import org.jspecify.annotations.NullMarked;
