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
final class Stage {

    private static final long AMOUNT = 1200;
    private static final int CROWD = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final Town town;
    private final Customer customer = new Customer();
    private final AtomicInteger plays = new AtomicInteger();

    Stage(Town town) {
        this.town = town;
    }

    synchronized Played play(Scenario scenario) throws DemoFailure, InterruptedException {
        String name = scenario.name().toLowerCase(Locale.ROOT) + "-" + plays.incrementAndGet();
        var guarded = new Order(name + "-protected", AMOUNT);
        var bare = new Order(name + "-unprotected", AMOUNT);
        try {
            if (scenario == Scenario.KILL) {
                return kill(guarded, bare);
            }
            return new Played(
                    scenario,
                    seen(guarded, answers(scenario, Side.PROTECTED, guarded)),
                    seen(bare, answers(scenario, Side.UNPROTECTED, bare)));
        } catch (IOException | ExecutionException e) {
            throw new DemoFailure("\"" + scenario.deed() + "\" could not be played: " + e, e);
        }
    }

    /** What the shop's store knows of the key of an order. */
    KeyStory story(String order) throws DemoFailure, InterruptedException {
        try {
            return customer.story(town.shop(), order);
        } catch (IOException e) {
            throw new DemoFailure("The shop could not be asked about a key: " + e, e);
        }
    }

    private List<Answer> answers(Scenario scenario, Side side, Order order)
            throws IOException, DemoFailure, ExecutionException, InterruptedException {
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
                        customer.pay(town.shop(), side, new Order(order.name(), order.amount() + 100)));
            case KILL -> throw new IllegalStateException("One kill hits both sides.");
        };
    }

    private List<Answer> atOnce(int times, Side side, Order order) throws ExecutionException, InterruptedException {
        var shop = town.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Answer>();
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
    private Played kill(Order guarded, Order bare)
            throws IOException, DemoFailure, ExecutionException, InterruptedException {
        customer.injectFault(town.bank(), "hold", guarded.name());
        customer.injectFault(town.bank(), "hold", bare.name());
        var shop = town.shop();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = threads.submit(() -> customer.pay(shop, Side.PROTECTED, guarded));
            Future<Answer> second = threads.submit(() -> customer.pay(shop, Side.UNPROTECTED, bare));
            awaitCharge(guarded);
            awaitCharge(bare);
            town.killAndRestartShop();
            // If it never comes, that is what was seen.
            pollUntil(() -> customer.receipts(town.shop(), guarded.name()) > 0);
            return new Played(Scenario.KILL, seen(guarded, List.of(first.get())), seen(bare, List.of(second.get())));
        }
    }

    private Seen seen(Order order, List<Answer> answers) throws IOException, InterruptedException {
        return new Seen(
                order,
                answers,
                customer.charges(town.bank(), order.name()),
                customer.receipts(town.shop(), order.name()));
    }

    private void awaitCharge(Order order) throws IOException, DemoFailure, InterruptedException {
        if (!pollUntil(() -> !customer.charges(town.bank(), order.name()).isEmpty())) {
            throw new DemoFailure(
                    "The bank was not asked to charge " + order.name() + " within " + PATIENCE.toSeconds()
                            + " seconds.",
                    null);
        }
    }

    private interface Question {
        boolean ask() throws IOException, InterruptedException;
    }

    private static boolean pollUntil(Question question) throws IOException, InterruptedException {
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
