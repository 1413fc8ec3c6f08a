package dev.refrain.store.contract;

import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Runs several calls at the same moment and waits for all of them. */
final class ConcurrentCalls {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ConcurrentCalls() {}

    /** Call of one runner, by its number. */
    interface NumberedCall<T> {
        T run(int number) throws Exception;
    }

    /** Returns the results in the order of the runners. */
    static <T> List<T> runAll(int runners, NumberedCall<T> runner) {
        return runAll(IntStream.range(0, runners)
                .<Callable<T>>mapToObj(number -> () -> runner.run(number))
                .toList());
    }

    static <T> List<T> runAll(List<Callable<T>> runners) {
        var ready = new CountDownLatch(runners.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(runners.size())) {
            var running = new ArrayList<Future<T>>();
            for (var runner : runners) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return runner.call();
                }));
            }
            var answers = new ArrayList<T>();
            for (var one : running) {
                answers.add(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            return answers;
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("A runner of the race failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for the race to end", e);
        }
    }

    /** Retries a call while the store reports that it is busy, as callers do. */
    static <T> T retryWhileBusy(Supplier<T> ask) {
        return retryWhileBusy(ask, answer -> true);
    }

    /** One element may be locked or throttled by itself: that is an answer, and not thrown. */
    private static boolean isBusy(Object answer) {
        return switch (answer) {
            case ClaimResponse.Failed failed -> failed.failure().isTransient();
            case RecordWriteResponse.Failed failed -> failed.failure().isTransient();
            case List<?> batch -> batch.stream().anyMatch(ConcurrentCalls::isBusy);
            default -> false;
        };
    }

    /** Retries a call until its result is usable. */
    static <T> T retryWhileBusy(Supplier<T> ask, Predicate<T> ofUse) {
        return Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(PATIENCE)
                .ignoreExceptionsMatching(e -> e instanceof StoreException busy && busy.isTransient())
                .until(ask::get, answer -> !isBusy(answer) && ofUse.test(answer));
    }
}
