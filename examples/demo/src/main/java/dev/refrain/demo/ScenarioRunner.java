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

/** Plays scenarios in a town. One at a time: one of them kills the shop. */
final class ScenarioRunner {

    private static final long AMOUNT = 1200;
    private static final int CROWD = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final ShopAndBankProcesses town;
    private final DemoCustomer customer = new DemoCustomer();
    private final AtomicInteger plays = new AtomicInteger();

    ScenarioRunner(ShopAndBankProcesses town) {
        this.town = town;
    }

    synchronized ScenarioResult play(DemoScenario scenario) throws DemoFailedException, InterruptedException {
        String name = scenario.name().toLowerCase(Locale.ROOT) + "-" + plays.incrementAndGet();
        var guarded = new ShopOrder(name + "-protected", AMOUNT);
        var bare = new ShopOrder(name + "-unprotected", AMOUNT);
        try {
            if (scenario == DemoScenario.KILL) {
                return kill(guarded, bare);
            }
            return new ScenarioResult(
                    scenario,
                    seen(guarded, answers(scenario, CheckoutVariant.PROTECTED, guarded)),
                    seen(bare, answers(scenario, CheckoutVariant.UNPROTECTED, bare)));
        } catch (IOException | ExecutionException e) {
            throw new DemoFailedException("\"" + scenario.deed() + "\" could not be played: " + e, e);
        }
    }

    /** What the shop's store knows of the key of an order. */
    KeyHistory story(String order) throws DemoFailedException, InterruptedException {
        try {
            return customer.story(town.shop(), order);
        } catch (IOException e) {
            throw new DemoFailedException("The shop could not be asked about a key: " + e, e);
        }
    }

    private List<ShopResponse> answers(DemoScenario scenario, CheckoutVariant side, ShopOrder order)
            throws IOException, DemoFailedException, ExecutionException, InterruptedException {
        return switch (scenario) {
            case CLICKS -> atOnce(3, side, order);
            case CROWD -> atOnce(CROWD, side, order);
            case HANG_UP ->
                List.of(
                        customer.payAndHangUp(town.shop(), side, order, () -> awaitCharge(order)),
                        customer.pay(town.shop(), side, order));
            case LOST -> {
                customer.injectFault(town.bank(), "lose", order.name());
                yield List.of(customer.pay(town.shop(), side, order), customer.pay(town.shop(), side, order));
            }
            case AMOUNT ->
                List.of(
                        customer.pay(town.shop(), side, order),
                        customer.pay(town.shop(), side, new ShopOrder(order.name(), order.amount() + 100)));
            case KILL -> throw new IllegalStateException("One kill hits both sides.");
        };
    }

    private List<ShopResponse> atOnce(int times, CheckoutVariant side, ShopOrder order)
            throws ExecutionException, InterruptedException {
        var shop = town.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<ShopResponse>();
            for (var sent : threads.invokeAll(copies(times, () -> customer.pay(shop, side, order)))) {
                answers.add(sent.get());
            }
            return answers;
        }
    }

    private static <T> List<Callable<T>> copies(int times, Callable<T> one) {
        return Collections.nCopies(times, one);
    }

    /** The bank has charged and has not answered yet: then the shop is killed, and nobody asks again. */
    private ScenarioResult kill(ShopOrder guarded, ShopOrder bare)
            throws IOException, DemoFailedException, ExecutionException, InterruptedException {
        customer.injectFault(town.bank(), "hold", guarded.name());
        customer.injectFault(town.bank(), "hold", bare.name());
        var shop = town.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ShopResponse> first = threads.submit(() -> customer.pay(shop, CheckoutVariant.PROTECTED, guarded));
            Future<ShopResponse> second = threads.submit(() -> customer.pay(shop, CheckoutVariant.UNPROTECTED, bare));
            awaitCharge(guarded);
            awaitCharge(bare);
            town.killAndRestartShop();
            // If it never comes, that is what was seen.
            pollUntil(() -> customer.receipts(town.shop(), guarded.name()) > 0);
            return new ScenarioResult(
                    DemoScenario.KILL, seen(guarded, List.of(first.get())), seen(bare, List.of(second.get())));
        }
    }

    private ScenarioVariantResult seen(ShopOrder order, List<ShopResponse> answers)
            throws IOException, InterruptedException {
        return new ScenarioVariantResult(
                order,
                answers,
                customer.charges(town.bank(), order.name()),
                customer.receipts(town.shop(), order.name()));
    }

    private void awaitCharge(ShopOrder order) throws IOException, DemoFailedException, InterruptedException {
        if (!pollUntil(() -> !customer.charges(town.bank(), order.name()).isEmpty())) {
            throw new DemoFailedException(
                    "The bank was not asked to charge " + order.name() + " within " + PATIENCE.toSeconds()
                            + " seconds.",
                    null);
        }
    }

    private interface PolledCondition {
        boolean ask() throws IOException, InterruptedException;
    }

    private static boolean pollUntil(PolledCondition question) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!question.ask()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(GLANCE);
        }
        return true;
    }
}
