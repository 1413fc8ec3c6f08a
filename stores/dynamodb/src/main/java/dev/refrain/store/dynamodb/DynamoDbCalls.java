package dev.refrain.store.dynamodb;

import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/** Calls of one batch, side by side, each of which ends with the timeout. Thread-safe. */
final class DynamoDbCalls implements AutoCloseable {

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("refrain-dynamodb-", 0).factory());
    private final Duration timeout;
    private final AwsRequestOverrideConfiguration bounded;

    DynamoDbCalls(Duration timeout) {
        this.timeout = timeout;
        this.bounded = AwsRequestOverrideConfiguration.builder()
                .apiCallTimeout(timeout)
                .build();
    }

    /** Returns what ends a call itself with the timeout, and gives its connection back; the wait for it ends then in any case. */
    AwsRequestOverrideConfiguration bounded() {
        return bounded;
    }

    /** Calls once for each element. An element whose call failed gets the answer for that failure. */
    <Q, A> List<A> each(String doing, List<Q> elements, Function<Q, A> call, BiFunction<Q, StoreException, A> failed) {
        long deadline = System.nanoTime() + timeout.toNanos();
        var running = new ArrayList<CompletableFuture<A>>();
        for (var element : elements) {
            running.add(CompletableFuture.supplyAsync(() -> call.apply(element), threads));
        }
        var answers = new ArrayList<A>();
        for (int i = 0; i < elements.size(); i++) {
            var element = elements.get(i);
            answers.add(answer(doing, running.get(i), deadline, failure -> failed.apply(element, failure)));
        }
        return answers;
    }

    /** Calls once. */
    <A> A once(String doing, Supplier<A> call) {
        return answer(
                doing, CompletableFuture.supplyAsync(call, threads), System.nanoTime() + timeout.toNanos(), failure -> {
                    throw failure;
                });
    }

    private static <A> A answer(
            String doing, CompletableFuture<A> running, long deadline, Function<StoreException, A> failed) {
        try {
            return running.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return failed.apply(DynamoDbErrors.of(doing, e.getCause() == null ? e : e.getCause()));
        } catch (TimeoutException | CompletionException e) {
            return failed.apply(DynamoDbErrors.of(doing, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed.apply(DynamoDbErrors.of(doing, e));
        }
    }

    /** Does not wait for calls that are not answered. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
