/** Protects handlers of servlet applications (Spring MVC). */
@NullMarked
package dev.refrain.spring.mvc;

import org.jspecify.annotations.NullMarked;
