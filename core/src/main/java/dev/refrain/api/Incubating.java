package dev.refrain.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what works and is tested, but may still change with a minor version. Code that only uses Refrain names nothing that is marked; code that
 * implements it, such as a store, may have to follow.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Incubating {}
