package dev.refrain.console;

import dev.refrain.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The console: a request in, a page out. It knows no server; whoever hosts it reads the request and sends the reply.
 *
 * {@snippet :
 * var live = new LiveActivityListener(InstantSource.system());
 * var refrain = Refrain.using(store, Settings.standard().with(live));
 * var console = OperatorConsole.of(new PasswordLogin(hash, InstantSource.system()), ConsoleSections.of(refrain.operators(), store.browsing(), live));
 * ConsoleReply reply = console.answer(request);
 * }
 *
 * <p>In this order: our own files, which tell nothing; who is it; was the form sent from here; the section. Safe for use by many threads.
 */
public final class OperatorConsole {

    private static final Map<String, String> TYPES = Map.of(
            "console.css",
            "text/css; charset=utf-8",
            "console.js",
            "text/javascript; charset=utf-8",
            "icon.svg",
            "image/svg+xml");

    private static final System.Logger LOG = System.getLogger(OperatorConsole.class.getName());

    private final ConsoleAuthenticator access;
    private final List<ConsoleSection> sections;
    private final ConsoleLayout frame;
    private final CsrfGuard forgery = new CsrfGuard();

    private OperatorConsole(ConsoleAuthenticator access, List<ConsoleSection> sections) {
        this.access = access;
        this.sections = List.copyOf(sections);
        this.frame = new ConsoleLayout(sections);
    }

    public static OperatorConsole of(ConsoleAuthenticator access, List<ConsoleSection> sections) {
        return new OperatorConsole(access, sections);
    }

    /** The same console with one section more. */
    public OperatorConsole and(ConsoleSection section) {
        return and(List.of(section));
    }

    public OperatorConsole and(List<ConsoleSection> others) {
        var more = new ArrayList<>(sections);
        more.addAll(others);
        return new OperatorConsole(access, more);
    }

    public ConsoleReply answer(ConsoleRequest request) {
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (!reads && !request.method().equals("POST")) {
            return ConsoleReply.of(405, "text/plain; charset=utf-8", new byte[0])
                    .with("Allow", "GET, HEAD, POST");
        }
        String path = request.path().replaceFirst("^/+", "");
        if (path.startsWith(ConsoleLayout.ASSETS)) {
            return asset(path.substring(ConsoleLayout.ASSETS.length()));
        }
        var who = access.authenticate(request);
        if (who.isEmpty()) {
            return access.challenge(request, frame);
        }
        if (!reads && forgery.isForged(request)) {
            return frame.renderSignedOut(
                    request,
                    403,
                    ConsolePage.message(
                            403,
                            "Not done",
                            "This form was not sent from here, or it is old. Go back, load the page again"
                                    + " and send it once more."));
        }
        if (path.equals("logout") && !reads) {
            return access.signOut(request).orElseGet(() -> ConsoleReply.redirect(request.mount() + "/"));
        }
        return page(request, who.get(), path, reads);
    }

    private ConsoleReply page(ConsoleRequest request, String who, String path, boolean reads) {
        int slash = path.indexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        String token = forgery.token(request);
        var visit = new AuthenticatedRequest(request, who, slash < 0 ? "" : path.substring(slash + 1), token);
        var section = sections.stream().filter(s -> s.path().equals(name)).findFirst();
        var page = section.map(s -> of(s, visit, reads)).orElseGet(ConsolePage::notFound);
        return forgery.remember(request, token, reply(visit, section, page));
    }

    private ConsoleReply reply(AuthenticatedRequest visit, Optional<ConsoleSection> section, ConsolePage page) {
        if (page.redirectTo().isPresent()) {
            return ConsoleReply.redirect(page.redirectTo().get());
        }
        return page.isFragment()
                ? ConsoleReply.fragment(page.content())
                : frame.renderSignedIn(
                        visit,
                        section.orElse(sections.getFirst()),
                        page,
                        visit.request().hostUser().isEmpty());
    }

    private static ConsolePage of(ConsoleSection section, AuthenticatedRequest visit, boolean reads) {
        try {
            return reads ? section.get(visit) : section.post(visit);
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "The console could not ask the store.", e);
            return ConsolePage.message(
                    e.isTransient() ? 503 : 500, "The store does not answer", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return ConsolePage.message(400, "That cannot be done", String.valueOf(e.getMessage()));
        }
    }

    private static ConsoleReply asset(String name) {
        String type = TYPES.get(name);
        if (type == null) {
            return ConsoleReply.of(404, "text/plain; charset=utf-8", new byte[0]);
        }
        try (var in = OperatorConsole.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The file " + name + " is missing from this jar.");
            }
            return ConsoleReply.of(200, type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + name, e);
        }
    }
}
