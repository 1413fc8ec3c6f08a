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

/** Sends the requests of one case within its budget and records them with their responses. */
final class VerifyCaseContext implements AutoCloseable {

    /** Number of attempts while the API responds that the first request is still running. */
    static final int MAX_ATTEMPTS = 10;

    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);
    private static final Duration MIN_PAUSE = Duration.ofMillis(50);

    private final VerifySettings subject;
    private final ApiObservations observations;
    private final AtomicLong numbers;
    private final Consumer<Duration> advanceTime;
    private final RequestBudget budget;
    private final TranscriptFormatter formatter;
    private final List<String> transcript = Collections.synchronizedList(new ArrayList<>());
    private VerifyHttpClient sender;
    private Optional<EffectCounter> lastCounter = Optional.empty();

    VerifyCaseContext(
            VerifySettings subject,
            ApiObservations observations,
            AtomicLong numbers,
            int requests,
            Consumer<Duration> advanceTime) {
        this.subject = subject;
        this.observations = observations;
        this.numbers = numbers;
        this.advanceTime = advanceTime;
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

    /** Number of requests sent to the route. */
    int sent() {
        return budget.used();
    }

    /** Creates a new request under a new key. */
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

    /** Writes the key in the syntax that this API expects. */
    String key(String key) {
        return subject.expectations().unquotedKeys() ? key : quoted(key);
    }

    static String quoted(String key) {
        return '"' + key + '"';
    }

    /** Returns a body that differs from that of the request. */
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
            return recorded(formatter.request(call), sender.send(call));
        } catch (NoResponseException e) {
            transcript.add(formatter.request(call) + "  →  " + e.getMessage());
            throw e;
        }
    }

    /** Sends a request and requires the response to a first request. */
    VerifyResponse sendFirst(VerifyRequest call) {
        var answer = send(call);
        if (!isFirstAnswer(answer)) {
            throw new ExpectationFailedException(
                    "the response to a first request (" + subject.expectations().firstAnswer() + ")",
                    formatter.answer(answer));
        }
        return answer;
    }

    boolean isFirstAnswer(VerifyResponse answer) {
        return subject.expectations().isFirstAnswer(answer.status());
    }

    /** Sends a request again until the API no longer responds that it should be retried later. */
    VerifyResponse sendUntilSettled(VerifyRequest call) {
        var answer = send(call);
        for (int again = 1; again < MAX_ATTEMPTS && isRetryLater(answer); again++) {
            pause(retryDelay(answer));
            answer = send(call);
        }
        return answer;
    }

    /** Returns whether the response says that the first request is still running, or to retry later. */
    boolean isRetryLater(VerifyResponse answer) {
        return !isFirstAnswer(answer)
                && (subject.profile().inFlight().contains(answer.status())
                        || answer.status() == 425
                        || answer.status() == 429
                        || answer.status() == 503
                        || answer.status() == 202);
    }

    private static Duration retryDelay(VerifyResponse answer) {
        var delay = answer.header("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ofMillis(200));
        return delay.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : delay.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : delay;
    }

    /** Sends the same request many times in parallel, so that all arrive together. */
    List<VerifyResponse> atOnce(VerifyRequest call, int times) {
        var barrier = new CyclicBarrier(times);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var pending = new ArrayList<CompletableFuture<VerifyResponse>>();
            for (int i = 0; i < times; i++) {
                budget.take();
                pending.add(CompletableFuture.supplyAsync(() -> sender.sendTogether(call, barrier), threads));
            }
            var answers = pending.stream().map(CompletableFuture::join).toList();
            transcript.add(times + "× in parallel: " + formatter.request(call));
            answers.forEach(answer -> transcript.add("  →  " + formatter.answer(answer)));
            return answers;
        } catch (CompletionException e) {
            transcript.add(times + "× in parallel: " + formatter.request(call) + "  →  " + e.getCause());
            throw e.getCause() instanceof NoResponseException known ? known : e;
        }
    }

    /**
     * Runs an exchange on a raw connection, for bytes that no HTTP library would send.
     *
     * @param what the description for the transcript
     */
    VerifyResponse onWire(VerifyRequest call, String what, RawExchange use) {
        budget.take();
        String line = formatter.request(call) + what;
        try (var wire = new VerifyRawConnection(subject.api(), subject.limits().timeout())) {
            return recorded(line, use.on(wire));
        } catch (IOException e) {
            transcript.add(line + "  →  " + e.getMessage());
            throw new NoResponseException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Exchange on a raw connection. */
    @FunctionalInterface
    interface RawExchange {
        VerifyResponse on(VerifyRawConnection wire) throws IOException;
    }

    /** Sends a GET request, which does not count against the budget. */
    VerifyResponse get(VerifiedRoute route, Optional<String> key) {
        var answer = sender.get(route, subject.api().headers(), key);
        transcript.add(route
                + key.map(value -> "  " + subject.api().keyHeader() + ": " + value)
                        .orElse("") + "  →  " + formatter.answer(answer));
        return answer;
    }

    private VerifyResponse recorded(String request, VerifyResponse answer) {
        transcript.add(request + "  →  " + formatter.answer(answer));
        return answer;
    }

    EffectCounter effectCounter() {
        var counter = new EffectCounter(this);
        lastCounter = Optional.of(counter);
        return counter;
    }

    /** Returns what a failure of this case means, as far as the API's own count supports it. */
    String supportedHarm(ExpectationFailedException failure, String consequence) {
        try {
            return lastCounter
                    .flatMap(counter -> counter.supportedHarm(failure, consequence))
                    .orElse(consequence);
        } catch (NoResponseException | InvalidVerifySettingsException notCounted) {
            return consequence;
        }
    }

    /** Lets time pass on the API's clock. Reconnects, since idle connections may be closed by then. */
    void advanceTime(Duration time) {
        advanceTime.accept(time);
        reconnect();
    }

    /** Sleeps in real time while something else happens. */
    void pause(Duration time) {
        sleep(time);
        if (time.compareTo(MAX_PAUSE) >= 0) {
            reconnect();
        }
    }

    private void reconnect() {
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
