package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code refrain deadletters discard}: deletes dead letters without delivering them. */
@Command(
        name = "discard",
        description = {"Delete dead letters without delivering them.", "The audit trail records who did it and why."},
        footer = {"", "Example:", "  refrain deadletters discard --store … --id ID --reason 'the account is closed'"})
final class DeadLettersDiscardCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Action.DISCARD, "discarded", "Discard it?");
        return ExitCode.OK;
    }
}
