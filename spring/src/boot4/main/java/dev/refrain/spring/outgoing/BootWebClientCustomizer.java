package dev.refrain.spring.outgoing;

import org.springframework.boot.webclient.WebClientCustomizer;

/** Customizer of this generation of Spring Boot. */
interface BootWebClientCustomizer extends WebClientCustomizer {}
