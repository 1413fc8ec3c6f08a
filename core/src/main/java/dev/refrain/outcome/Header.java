package dev.refrain.outcome;

/** One header of an answer, as it is to be sent again. */
public record Header(String name, String value) {}
