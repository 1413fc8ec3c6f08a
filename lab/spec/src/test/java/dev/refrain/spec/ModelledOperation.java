package dev.refrain.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Kinds of operation in the model, with the steps of each. */
enum ModelledOperation {
    TRANSACTIONAL("transactional", "single", Set.of("Lock", "Look", "Commit", "Crash", "Expire")),
    LEASED_RESUME("leased-resume", "single", leased("Expire", "Sweep")),
    LEASED_HOLD("leased-hold", "single", leased("Expire", "Sweep", "KeepFailure", "ResolveDone", "ResolveRunAgain")),
    FLOW_KEYS("flow-keys", "flow", flow("Forget", "Escalate")),
    FLOW_LOOKUP("flow-lookup", "flow", flow("LookUp", "Stop")),
    FLOW_NEITHER("flow-neither", "flow", flow("Stop", "Escalate")),
    /** Flow with expiring keys, apart from the others and with fewer requests, because a second life multiplies the states. */
    FLOW_EXPIRING("flow-keys", "flow-expiring", flow("Forget", "Escalate", "Expire"));

    private final String cfg;
    private final String size;

    /** Steps that must be taken, so that the model does not keep its promises by doing nothing. */
    final Set<String> steps;

    ModelledOperation(String cfg, String size, Set<String> steps) {
        this.cfg = cfg;
        this.size = size;
        this.steps = new TreeSet<>(steps);
    }

    /** Returns the configuration without the properties to check. */
    List<String> in(ModelSize world) {
        var lines = new ArrayList<>(TlcRunner.part("ways/" + cfg + ".cfg"));
        lines.addAll(TlcRunner.part("sizes/" + size + world.suffix + ".cfg"));
        lines.add("SPECIFICATION " + world.specification);
        return lines;
    }

    private static Set<String> leased(String... more) {
        var steps = new TreeSet<>(
                Set.of("Ask", "AskAgain", "Send", "Complete", "GiveBack", "Crash", "Hang", "Renew", "LeaseEnds"));
        steps.addAll(Set.of(more));
        return steps;
    }

    private static Set<String> flow(String... more) {
        var steps = leased(more);
        steps.addAll(Set.of("Order", "Note", "Pick", "ResolveDone", "ResolveRunAgain"));
        return steps;
    }
}
