package dev.refrain.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A bank and a shop, each a process, with all that they write in one folder. Nothing of it is left when it is closed or the JVM ends. */
final class Town implements AutoCloseable {

    private final Path folder;
    private final List<Child> children = new ArrayList<>();
    private final Thread atTheEnd = new Thread(this::remove, "end-of-the-demo");
    private final URI bank;
    private volatile Child shopProcess;
    private volatile URI shop;
    private boolean over;

    private Town(Path folder) throws DemoFailure, InterruptedException {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        try {
            bank = begin(Bank.class).address();
            shopProcess = begin(Shop.class, folder.resolve("shop.db").toString(), bank.toString());
            shop = shopProcess.address();
        } catch (DemoFailure | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** @param parent the folder to make its own one in */
    static Town start(Path parent) throws DemoFailure, InterruptedException {
        Path folder;
        try {
            folder = Files.createTempDirectory(parent, "refrain-demo-");
        } catch (IOException e) {
            throw new DemoFailure(
                    "The demo can't make a folder in " + parent + " for its files ("
                            + e.getClass().getSimpleName()
                            + "). Name another by REFRAIN_JAVA_OPTS=-Djava.io.tmpdir=FOLDER.",
                    e);
        }
        return new Town(folder);
    }

    /** Whoever ends the demo meanwhile finds the process in the list, or none is started any more. */
    private synchronized Child begin(Class<?> main, String... arguments) throws DemoFailure {
        if (over) {
            throw new DemoFailure("The demo was stopped.", null);
        }
        var child = Child.start(main, folder, arguments);
        children.add(child);
        return child;
    }

    URI bank() {
        return bank;
    }

    URI shop() {
        return shop;
    }

    Path folder() {
        return folder;
    }

    /** By SIGKILL; then a new process on what the old one left. */
    void killAndRestartShop() throws DemoFailure, InterruptedException {
        shopProcess.kill();
        shopProcess = begin(Shop.class, folder.resolve("shop.db").toString(), bank.toString());
        shop = shopProcess.address();
    }

    private synchronized void remove() {
        over = true;
        children.forEach(Child::kill);
        children.clear();
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("refrain: " + folder + " could not be removed: " + e);
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException ending) {
            // The hook runs already, and finds nothing left to do.
        }
    }
}
