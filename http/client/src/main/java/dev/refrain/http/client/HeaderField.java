package dev.refrain.http.client;
/** Header of a request. */
public record HeaderField(String name, String value) {}
