package dev.refrain.spring.outgoing;

import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;

/** Customizer of this generation of Spring Boot. */
interface BootWebClientCustomizer extends WebClientCustomizer {}
