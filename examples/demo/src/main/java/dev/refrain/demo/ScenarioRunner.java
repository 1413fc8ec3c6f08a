package dev.refrain.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs scenarios, one at a time, since one of them kills the shop. */
final class ScenarioRunner {

    private static final long AMOUNT = 1200;
    private static final int CROWD = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final ShopAndBankProcesses processes;
    private final DemoCustomer customer = new DemoCustomer();
    private final AtomicInteger runs = new AtomicInteger();

    ScenarioRunner(ShopAndBankProcesses processes) {
        this.processes = processes;
    }

    synchronized ScenarioResult play(DemoScenario scenario) throws DemoFailedException, InterruptedException {
        String name = scenario.name().toLowerCase(Locale.ROOT) + "-" + runs.incrementAndGet();
        var protectedOrder = new ShopOrder(name + "-protected", AMOUNT);
        var unprotectedOrder = new ShopOrder(name + "-unprotected", AMOUNT);
        try {
            if (scenario == DemoScenario.KILL) {
                return kill(protectedOrder, unprotectedOrder);
            }
            return new ScenarioResult(
                    scenario,
                    resultOf(protectedOrder, send(scenario, CheckoutVariant.PROTECTED, protectedOrder)),
                    resultOf(unprotectedOrder, send(scenario, CheckoutVariant.UNPROTECTED, unprotectedOrder)));
        } catch (IOException | ExecutionException e) {
            throw new DemoFailedException("\"" + scenario.title() + "\" could not run: " + e, e);
        }
    }

    /** Returns the history of an order's key from the shop's store. */
    KeyHistory keyHistory(String order) throws DemoFailedException, InterruptedException {
        try {
            return customer.keyHistory(processes.shop(), order);
        } catch (IOException e) {
            throw new DemoFailedException("Cannot read the history of a key from the shop: " + e, e);
        }
    }

    private List<ShopResponse> send(DemoScenario scenario, CheckoutVariant side, ShopOrder order)
            throws IOException, DemoFailedException, ExecutionException, InterruptedException {
        return switch (scenario) {
            case CLICKS -> atOnce(3, side, order);
            case CROWD -> atOnce(CROWD, side, order);
            case HANG_UP ->
                List.of(
                        customer.payAndHangUp(processes.shop(), side, order, () -> awaitCharge(order)),
                        customer.pay(processes.shop(), side, order));
            case LOST -> {
                customer.injectFault(processes.bank(), "lose", order.name());
                yield List.of(customer.pay(processes.shop(), side, order), customer.pay(processes.shop(), side, order));
            }
            case AMOUNT ->
                List.of(
                        customer.pay(processes.shop(), side, order),
                        customer.pay(processes.shop(), side, new ShopOrder(order.name(), order.amount() + 100)));
            case KILL -> throw new IllegalStateException("The kill scenario runs both variants at once.");
        };
    }

    private List<ShopResponse> atOnce(int times, CheckoutVariant side, ShopOrder order)
            throws ExecutionException, InterruptedException {
        var shop = processes.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var responses = new ArrayList<ShopResponse>();
            for (var sent : threads.invokeAll(copies(times, () -> customer.pay(shop, side, order)))) {
                responses.add(sent.get());
            }
            return responses;
        }
    }

    private static <T> List<Callable<T>> copies(int times, Callable<T> one) {
        return Collections.nCopies(times, one);
    }

    /** Kills the shop after the bank has charged and before it has responded; no client retries. */
    private ScenarioResult kill(ShopOrder protectedOrder, ShopOrder unprotectedOrder)
            throws IOException, DemoFailedException, ExecutionException, InterruptedException {
        customer.injectFault(processes.bank(), "hold", protectedOrder.name());
        customer.injectFault(processes.bank(), "hold", unprotectedOrder.name());
        var shop = processes.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ShopResponse> first =
                    threads.submit(() -> customer.pay(shop, CheckoutVariant.PROTECTED, protectedOrder));
            Future<ShopResponse> second =
                    threads.submit(() -> customer.pay(shop, CheckoutVariant.UNPROTECTED, unprotectedOrder));
            awaitCharge(protectedOrder);
            awaitCharge(unprotectedOrder);
            processes.killAndRestartShop();
            // A receipt that never appears is part of the result.
            pollUntil(() -> customer.receipts(processes.shop(), protectedOrder.name()) > 0);
            return new ScenarioResult(
                    DemoScenario.KILL,
                    resultOf(protectedOrder, List.of(first.get())),
                    resultOf(unprotectedOrder, List.of(second.get())));
        }
    }

    private ScenarioVariantResult resultOf(ShopOrder order, List<ShopResponse> responses)
            throws IOException, InterruptedException {
        return new ScenarioVariantResult(
                order,
                responses,
                customer.charges(processes.bank(), order.name()),
                customer.receipts(processes.shop(), order.name()));
    }

    private void awaitCharge(ShopOrder order) throws IOException, DemoFailedException, InterruptedException {
        if (!pollUntil(() -> !customer.charges(processes.bank(), order.name()).isEmpty())) {
            throw new DemoFailedException(
                    "The bank did not get the charge for " + order.name() + " within " + TIMEOUT.toSeconds()
                            + " seconds.",
                    null);
        }
    }

    private interface PolledCondition {
        boolean holds() throws IOException, InterruptedException;
    }

    private static boolean pollUntil(PolledCondition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(POLL_INTERVAL);
        }
        return true;
    }
}
