package dev.refrain.console;

import dev.refrain.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Console for operators: takes a request and returns a page. Independent of any server; the host reads the request and
 * sends the reply. Thread-safe.
 *
 * {@snippet :
 * var live = new LiveActivityListener(InstantSource.system());
 * var refrain = Refrain.using(store, RefrainSettings.defaults().with(live));
 * var console = OperatorConsole.of(new PasswordLogin(hash, InstantSource.system()), ConsoleSections.of(refrain.admin(), store.recordBrowser(), live));
 * ConsoleReply reply = console.answer(request);
 * }
 *
 * <p>Order of processing: static files, which reveal nothing; authentication; CSRF check; the section.
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

    private final ConsoleAuthenticator authenticator;
    private final List<ConsoleSection> sections;
    private final ConsoleLayout layout;
    private final CsrfGuard csrfGuard = new CsrfGuard();

    private OperatorConsole(ConsoleAuthenticator authenticator, List<ConsoleSection> sections) {
        this.authenticator = authenticator;
        this.sections = List.copyOf(sections);
        this.layout = new ConsoleLayout(sections);
    }

    public static OperatorConsole of(ConsoleAuthenticator authenticator, List<ConsoleSection> sections) {
        return new OperatorConsole(authenticator, sections);
    }

    /** Returns the same console with one more section. */
    public OperatorConsole and(ConsoleSection section) {
        return and(List.of(section));
    }

    public OperatorConsole and(List<ConsoleSection> others) {
        var more = new ArrayList<>(sections);
        more.addAll(others);
        return new OperatorConsole(authenticator, more);
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
        var who = authenticator.authenticate(request);
        if (who.isEmpty()) {
            return authenticator.challenge(request, layout);
        }
        if (!reads && csrfGuard.isForged(request)) {
            return layout.renderSignedOut(
                    request,
                    403,
                    ConsolePage.message(
                            403,
                            "Nothing was done",
                            "The form has expired or was not sent from this console. Go back, reload the page and submit it again."));
        }
        if (path.equals("logout") && !reads) {
            return authenticator.signOut(request).orElseGet(() -> ConsoleReply.redirect(request.mount() + "/"));
        }
        return page(request, who.get(), path, reads);
    }

    private ConsoleReply page(ConsoleRequest request, String who, String path, boolean reads) {
        int slash = path.indexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        String token = csrfGuard.token(request);
        var visit = new AuthenticatedRequest(request, who, slash < 0 ? "" : path.substring(slash + 1), token);
        var section = sections.stream().filter(s -> s.path().equals(name)).findFirst();
        var page = section.map(s -> of(s, visit, reads)).orElseGet(ConsolePage::notFound);
        return csrfGuard.remember(request, token, reply(visit, section, page));
    }

    private ConsoleReply reply(AuthenticatedRequest visit, Optional<ConsoleSection> section, ConsolePage page) {
        if (page.redirectTo().isPresent()) {
            return ConsoleReply.redirect(page.redirectTo().get());
        }
        return page.isFragment()
                ? ConsoleReply.fragment(page.content())
                : layout.renderSignedIn(
                        visit,
                        section.orElse(sections.getFirst()),
                        page,
                        visit.request().hostUser().isEmpty());
    }

    private static ConsolePage of(ConsoleSection section, AuthenticatedRequest visit, boolean reads) {
        try {
            return reads ? section.get(visit) : section.post(visit);
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "The console could not query the store.", e);
            return ConsolePage.message(
                    e.isTransient() ? 503 : 500, "Store unavailable", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return ConsolePage.message(400, "Invalid request", String.valueOf(e.getMessage()));
        }
    }

    private static ConsoleReply asset(String name) {
        String type = TYPES.get(name);
        if (type == null) {
            return ConsoleReply.of(404, "text/plain; charset=utf-8", new byte[0]);
        }
        try (var in = OperatorConsole.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing from the console's jar.");
            }
            return ConsoleReply.of(200, type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the resource " + name, e);
        }
    }
}
