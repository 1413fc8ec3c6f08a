package dev.refrain.spring.outgoing;

import org.springframework.boot.restclient.RestClientCustomizer;

/** Customizer of this generation of Spring Boot. */
interface BootRestClientCustomizer extends RestClientCustomizer {}
