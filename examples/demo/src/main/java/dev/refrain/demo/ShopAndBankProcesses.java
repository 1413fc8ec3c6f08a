package dev.refrain.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A bank and a shop, each a process, with all that they write in one folder. Nothing of it is left when it is closed or the JVM ends. */
final class ShopAndBankProcesses implements AutoCloseable {

    private final Path folder;
    private final List<DemoProcess> children = new ArrayList<>();
    private final Thread atTheEnd = new Thread(this::remove, "end-of-the-demo");
    private final URI bank;
    private volatile DemoProcess shopProcess;
    private volatile URI shop;
    private boolean over;

    private ShopAndBankProcesses(Path folder) throws DemoFailedException, InterruptedException {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        try {
            bank = begin(DemoBank.class).address();
            shopProcess = begin(DemoShop.class, folder.resolve("shop.db").toString(), bank.toString());
            shop = shopProcess.address();
        } catch (DemoFailedException | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** @param parent the folder to make its own one in */
    static ShopAndBankProcesses start(Path parent) throws DemoFailedException, InterruptedException {
        Path folder;
        try {
            folder = Files.createTempDirectory(parent, "refrain-demo-");
        } catch (IOException e) {
            throw new DemoFailedException(
                    "The demo can't make a folder in " + parent + " for its files ("
                            + e.getClass().getSimpleName()
                            + "). Name another by REFRAIN_JAVA_OPTS=-Djava.io.tmpdir=FOLDER.",
                    e);
        }
        return new ShopAndBankProcesses(folder);
    }

    /** Whoever ends the demo meanwhile finds the process in the list, or none is started any more. */
    private synchronized DemoProcess begin(Class<?> main, String... arguments) throws DemoFailedException {
        if (over) {
            throw new DemoFailedException("The demo was stopped.", null);
        }
        var child = DemoProcess.start(main, folder, arguments);
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
    void killAndRestartShop() throws DemoFailedException, InterruptedException {
        shopProcess.kill();
        shopProcess = begin(DemoShop.class, folder.resolve("shop.db").toString(), bank.toString());
        shop = shopProcess.address();
    }

    private synchronized void remove() {
        over = true;
        children.forEach(DemoProcess::kill);
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
