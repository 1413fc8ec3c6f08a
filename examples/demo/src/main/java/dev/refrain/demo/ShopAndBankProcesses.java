package dev.refrain.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Bank and shop as child processes, with all their files in one directory. Both are removed on close and when the JVM
 * ends.
 */
final class ShopAndBankProcesses implements AutoCloseable {

    private final Path folder;
    private final List<DemoProcess> children = new ArrayList<>();
    private final Thread shutdownHook = new Thread(this::stopAndDelete, "end-of-the-demo");
    private final URI bank;
    private volatile DemoProcess shopProcess;
    private volatile URI shop;
    private boolean stopped;

    private ShopAndBankProcesses(Path folder) throws DemoFailedException, InterruptedException {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        try {
            bank = startChild(DemoBank.class).address();
            shopProcess = startChild(DemoShop.class, folder.resolve("shop.db").toString(), bank.toString());
            shop = shopProcess.address();
        } catch (DemoFailedException | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /**
     * Starts both.
     *
     * @param parent the directory in which a temporary directory is created
     */
    static ShopAndBankProcesses start(Path parent) throws DemoFailedException, InterruptedException {
        Path folder;
        try {
            folder = Files.createTempDirectory(parent, "refrain-demo-");
        } catch (IOException e) {
            throw new DemoFailedException(
                    "Cannot create a temporary directory in " + parent + " ("
                            + e.getClass().getSimpleName()
                            + "). Choose another with REFRAIN_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY.",
                    e);
        }
        return new ShopAndBankProcesses(folder);
    }

    /** Registers each process under the lock, so that stopping the demo either kills it or prevents its start. */
    private synchronized DemoProcess startChild(Class<?> main, String... arguments) throws DemoFailedException {
        if (stopped) {
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

    /** Kills the shop with SIGKILL and starts a new process on the same files. */
    void killAndRestartShop() throws DemoFailedException, InterruptedException {
        shopProcess.kill();
        shopProcess = startChild(DemoShop.class, folder.resolve("shop.db").toString(), bank.toString());
        shop = shopProcess.address();
    }

    private synchronized void stopAndDelete() {
        stopped = true;
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
            System.err.println("refrain: cannot remove " + folder + ": " + e);
        }
    }

    @Override
    public void close() {
        stopAndDelete();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException ending) {
            // The hook is already running and finds nothing left to do.
        }
    }
}
