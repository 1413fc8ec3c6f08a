package dev.refrain.console;

import java.util.Optional;

/** Decides who may use the console. Implementations must be thread-safe. */
public interface ConsoleAuthenticator {

    /** Returns the name of the user, for the audit trail; empty if the request is not authenticated. */
    Optional<String> authenticate(ConsoleRequest request);

    /** Creates the reply to an unauthenticated request, whatever its path. */
    ConsoleReply challenge(ConsoleRequest request, ConsoleLayout layout);

    /** Ends the user's session, if this authenticator manages sessions. */
    Optional<ConsoleReply> signOut(ConsoleRequest request);

    /** Creates an authenticator that trusts the user named by the host application. */
    static ConsoleAuthenticator trustingHost() {
        return new ConsoleAuthenticator() {
            @Override
            public Optional<String> authenticate(ConsoleRequest request) {
                return request.hostUser();
            }

            @Override
            public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout layout) {
                return layout.renderSignedOut(
                        request,
                        403,
                        ConsolePage.message(403, "Access denied", "You do not have permission to use this console."));
            }

            @Override
            public Optional<ConsoleReply> signOut(ConsoleRequest request) {
                return Optional.empty();
            }
        };
    }
}
