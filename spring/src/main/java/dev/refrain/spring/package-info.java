/** Spring Boot: the store found from the application's DataSource, protection by an annotation, Spring's own transactions. */
@NullMarked
package dev.refrain.spring;

import org.jspecify.annotations.NullMarked;
