package dev.refrain.verify;
/**
 * A case, in words.
 *
 * @param name by which it is chosen and found in reports
 * @param requirement what must hold, as a sentence
 * @param reference where that is written
 * @param consequence what it does to people and their money if it does not hold
 */
public record CaseDescription(String name, String requirement, String reference, String consequence) {}
