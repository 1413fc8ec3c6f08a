package dev.refrain.http.client;

/** One header of a request. */
public record Header(String name, String value) {}
