package dev.refrain.http.client;
/** One header of a request. */
public record HeaderField(String name, String value) {}
