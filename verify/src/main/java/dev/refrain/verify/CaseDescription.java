package dev.refrain.verify;
/**
 * Description of a case, for people.
 *
 * @param name the name by which the case is selected and reported
 * @param requirement the requirement, as a sentence
 * @param reference the specification that states it
 * @param consequence the effect on users and their money if the API does not meet it
 */
public record CaseDescription(String name, String requirement, String reference, String consequence) {}
