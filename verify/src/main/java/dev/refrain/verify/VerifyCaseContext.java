package dev.refrain.verify;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Where one case works: it sends requests within its budget, and keeps what was sent and what came back. */
final class VerifyCaseContext implements AutoCloseable {

    /** How often a request is sent again while it is told that the first one still runs. */
    static final int PATIENCE = 10;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    private final VerifySettings subject;
    private final ApiObservations observations;
    private final AtomicLong numbers;
    private final Consumer<Duration> advanceTime;
    private final RequestBudget budget;
    private final TranscriptFormatter formatter;
    private final List<String> transcript = Collections.synchronizedList(new ArrayList<>());
    private VerifyHttpClient sender;

    VerifyCaseContext(
            VerifySettings subject,
            ApiObservations learnt,
            AtomicLong numbers,
            int requests,
            Consumer<Duration> letPass) {
        this.subject = subject;
        this.observations = learnt;
        this.numbers = numbers;
        this.advanceTime = letPass;
        this.budget = new RequestBudget(requests);
        this.formatter = new TranscriptFormatter(subject);
        this.sender = new VerifyHttpClient(subject.api(), subject.limits().timeout());
    }

    VerifySettings subject() {
        return subject;
    }

    ApiObservations observations() {
        return observations;
    }

    TranscriptFormatter formatter() {
        return formatter;
    }

    List<String> transcript() {
        return List.copyOf(transcript);
    }

    /** How many requests went to the route. */
    int sent() {
        return budget.used();
    }

    /** A new intent under a new key. */
    VerifyRequest call() {
        return new VerifyRequest(
                        List.of(),
                        fill(subject.bodies().intent()),
                        "",
                        subject.api().headers(),
                        List.of())
                .withKeys(key(UUID.randomUUID().toString()));
    }

    String fill(BodyTemplate template) {
        return template.fill(numbers);
    }

    /** The key as this API wants it written. */
    String key(String key) {
        return subject.expectations().unquotedKeys() ? key : quoted(key);
    }

    static String quoted(String key) {
        return '"' + key + '"';
    }

    /** Another intent than that of the call. */
    Optional<String> otherBody(VerifyRequest call) {
        var bodies = subject.bodies();
        if (bodies.other().isPresent()) {
            return bodies.other().map(this::fill);
        }
        return bodies.intent().hasPlaceholders()
                ? Optional.of(fill(bodies.intent()))
                : JsonBodyEditor.withOtherNumber(call.body());
    }

    VerifyResponse send(VerifyRequest call) {
        budget.take();
        try {
            return noted(formatter.request(call), sender.send(call));
        } catch (NoResponseException e) {
            transcript.add(formatter.request(call) + "  →  " + e.getMessage());
            throw e;
        }
    }

    /** Sends it and expects what a first request is answered. */
    VerifyResponse sendFirst(VerifyRequest call) {
        var answer = send(call);
        if (!isFirstAnswer(answer)) {
            throw new ExpectationFailedException(
                    "the answer of a first request (" + subject.expectations().firstAnswer() + ")",
                    formatter.answer(answer));
        }
        return answer;
    }

    boolean isFirstAnswer(VerifyResponse answer) {
        return subject.expectations().isFirstAnswer(answer.status());
    }

    /** Sends it until it is no longer told to wait. */
    VerifyResponse sendUntilSettled(VerifyRequest call) {
        var answer = send(call);
        for (int again = 1; again < PATIENCE && isRetryLater(answer); again++) {
            pause(waitOf(answer));
            answer = send(call);
        }
        return answer;
    }

    /** Whether it is answered that the first one still runs, or that nothing could be tried now. */
    boolean isRetryLater(VerifyResponse answer) {
        return !isFirstAnswer(answer)
                && (subject.profile().inFlight().contains(answer.status())
                        || answer.status() == 425
                        || answer.status() == 429
                        || answer.status() == 503
                        || answer.status() == 202);
    }

    private static Duration waitOf(VerifyResponse answer) {
        var told = answer.header("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ofMillis(200));
        return told.compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : told.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : told;
    }

    /** Sends the same that many times so that they arrive together. */
    List<VerifyResponse> atOnce(VerifyRequest call, int times) {
        var together = new CyclicBarrier(times);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var coming = new ArrayList<CompletableFuture<VerifyResponse>>();
            for (int i = 0; i < times; i++) {
                budget.take();
                coming.add(CompletableFuture.supplyAsync(() -> sender.sendTogether(call, together), threads));
            }
            var answers = coming.stream().map(CompletableFuture::join).toList();
            transcript.add(times + " at once: " + formatter.request(call));
            answers.forEach(answer -> transcript.add("  →  " + formatter.answer(answer)));
            return answers;
        } catch (CompletionException e) {
            transcript.add(times + " at once: " + formatter.request(call) + "  →  " + e.getCause());
            throw e.getCause() instanceof NoResponseException known ? known : e;
        }
    }

    /** A connection for bytes that no library would send; what happens on it is noted by what it is said to be. */
    VerifyResponse onWire(VerifyRequest call, String what, RawExchange use) {
        budget.take();
        String line = formatter.request(call) + what;
        try (var wire = new VerifyRawConnection(subject.api(), subject.limits().timeout())) {
            return noted(line, use.on(wire));
        } catch (IOException e) {
            transcript.add(line + "  →  " + e.getMessage());
            throw new NoResponseException(String.valueOf(e.getMessage()), e);
        }
    }

    /** What is done on a connection. */
    @FunctionalInterface
    interface RawExchange {
        VerifyResponse on(VerifyRawConnection wire) throws IOException;
    }

    /** Asks a resource that changes nothing. */
    VerifyResponse get(ApiRoute route, Optional<String> key) {
        var answer = sender.get(route, subject.api().headers(), key);
        transcript.add(route
                + key.map(value -> "  " + subject.api().keyHeader() + ": " + value)
                        .orElse("") + "  →  " + formatter.answer(answer));
        return answer;
    }

    private VerifyResponse noted(String request, VerifyResponse answer) {
        transcript.add(request + "  →  " + formatter.answer(answer));
        return answer;
    }

    EffectCounter effectCounter() {
        return new EffectCounter(this);
    }

    /** Time that has to pass for what is checked. Idle connections may be closed by then: there will be new ones. */
    void advanceTime(Duration time) {
        advanceTime.accept(time);
        connectAnew();
    }

    /** Of real time, in which something else happens. */
    void pause(Duration time) {
        sleep(time);
        if (time.compareTo(LONGEST_PAUSE) >= 0) {
            connectAnew();
        }
    }

    private void connectAnew() {
        sender.close();
        sender = new VerifyHttpClient(subject.api(), subject.limits().timeout());
    }

    static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted.", e);
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
