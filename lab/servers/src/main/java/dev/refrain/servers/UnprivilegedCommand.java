package dev.refrain.servers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Command that starts a process as another user than root, which PostgreSQL requires.
 *
 *
 * @param name the program that steps down, for messages
 * @param prefix what is put in front of the command
 * @param owner whom the data directory must belong to, if it isn't the present user
 */
record UnprivilegedCommand(String name, List<String> prefix, Optional<String> owner) {

    static final UnprivilegedCommand AS_WE_ARE = new UnprivilegedCommand("none", List.of(), Optional.empty());

    /** Starts the process in a user namespace: files stay root's, and PostgreSQL sees another user. */
    static final UnprivilegedCommand UNSHARE =
            new UnprivilegedCommand("unshare", List.of("unshare", "-U"), Optional.empty());

    static final UnprivilegedCommand SETPRIV = new UnprivilegedCommand(
            "setpriv", List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"), Optional.of("nobody"));

    static final UnprivilegedCommand RUNUSER =
            new UnprivilegedCommand("runuser", List.of("runuser", "-u", "nobody", "--"), Optional.of("nobody"));

    /** All commands, from the least to the most invasive. */
    static final List<UnprivilegedCommand> FOR_ROOT = List.of(UNSHARE, SETPRIV, RUNUSER);

    static UnprivilegedCommand detect() {
        boolean root = "root".equals(System.getProperty("user.name"));
        return choose(root, UnprivilegedCommand::works);
    }

    static UnprivilegedCommand choose(boolean root, Predicate<UnprivilegedCommand> works) {
        if (!root) {
            return AS_WE_ARE;
        }
        return FOR_ROOT.stream()
                .filter(works)
                .findFirst()
                .orElseThrow(
                        () -> new TestServerException("PostgreSQL refuses to run as root, and none of unshare, setpriv"
                                + " and runuser can step down here: run as an ordinary user, or name a server of your own in "
                                + SharedPostgres.VARIABLE + "."));
    }

    /** Returns whether this command works here, by trying it: containers often have the program and refuse the system call. */
    boolean works() {
        try {
            Process trial = new ProcessBuilder(command(List.of("sh", "-c", "test \"$(id -u)\" -ne 0")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (trial.waitFor(10, TimeUnit.SECONDS)) {
                return trial.exitValue() == 0;
            }
            trial.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while looking for a way not to be root.", e);
        }
    }

    List<String> command(List<String> command) {
        var whole = new ArrayList<>(prefix);
        whole.addAll(command);
        return List.copyOf(whole);
    }
}
