package dev.refrain.console;

import java.util.Optional;

/** Who may look. Safe for use by many threads. */
public interface Access {

    /** Who asks, if they may; by this name what they do is audited. */
    Optional<String> who(ConsoleRequest request);

    /** What someone is answered who was not let in, whatever they asked for. */
    ConsoleReply refuse(ConsoleRequest request, Frame frame);

    /** Ends what lets them in, if that is this one's to end. */
    Optional<ConsoleReply> leave(ConsoleRequest request);

    /** By the host: whom it names is let in. */
    static Access byHost() {
        return new Access() {
            @Override
            public Optional<String> who(ConsoleRequest request) {
                return request.user();
            }

            @Override
            public ConsoleReply refuse(ConsoleRequest request, Frame frame) {
                return frame.outside(request, 403, Page.told(403, "Not for you", "You are not let in here."));
            }

            @Override
            public Optional<ConsoleReply> leave(ConsoleRequest request) {
                return Optional.empty();
            }
        };
    }
}
