package dev.refrain.store.jdbc;

/** A line of the audit trail: somebody had something confidential shown. */
record Reveal(String action, String target, String who, String why) {

    private static final Question<Reveal> NOTE = Question.<Reveal>script("note")
            .text("action", Reveal::action)
            .text("target", Reveal::target)
            .text("who", Reveal::who)
            .text("why", Reveal::why);

    static void write(Lane lane, String action, String target, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("What is stored is shown to someone, for a reason: say who and why.");
        }
        lane.write("Noting that " + target + " was shown", s -> {
            s.run(NOTE, new Reveal(action, target, who, why), (result, columns) -> {});
            return true;
        });
    }
}
