package dev.refrain.cli;

import java.util.Iterator;

/** The names that {@code --help} and shell completion offer. */
final class KnownDialects implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return DialectScripts.onClassPath().keySet().iterator();
    }
}
