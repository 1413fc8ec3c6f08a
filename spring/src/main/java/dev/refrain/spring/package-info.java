/**
 * Spring Boot starter: finds the store from the application's DataSource, protects annotated handlers and methods, and uses
 * Spring's own transactions.
 */
@NullMarked
package dev.refrain.spring;

import org.jspecify.annotations.NullMarked;
