package dev.refrain.console;

import java.util.Optional;

/** Who may look. Safe for use by many threads. */
public interface ConsoleAuthenticator {

    /** Who asks, if they may; by this name what they do is audited. */
    Optional<String> authenticate(ConsoleRequest request);

    /** What someone is answered who was not let in, whatever they asked for. */
    ConsoleReply challenge(ConsoleRequest request, ConsoleLayout frame);

    /** Ends what lets them in, if that is this one's to end. */
    Optional<ConsoleReply> signOut(ConsoleRequest request);

    /** By the host: whom it names is let in. */
    static ConsoleAuthenticator trustingHost() {
        return new ConsoleAuthenticator() {
            @Override
            public Optional<String> authenticate(ConsoleRequest request) {
                return request.hostUser();
            }

            @Override
            public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout frame) {
                return frame.renderSignedOut(
                        request, 403, ConsolePage.message(403, "Not for you", "You are not let in here."));
            }

            @Override
            public Optional<ConsoleReply> signOut(ConsoleRequest request) {
                return Optional.empty();
            }
        };
    }
}
