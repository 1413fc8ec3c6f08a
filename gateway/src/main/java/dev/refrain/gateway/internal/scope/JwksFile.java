package dev.refrain.gateway.internal.scope;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.text.ParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Public keys of token issuers in a file that is read again when it changes, so that withdrawn keys are refused. While it cannot be read,
 * the previous keys apply. Thread-safe.
 */
final class JwksFile implements JWKSource<SecurityContext> {

    private static final System.Logger LOG = System.getLogger(JwksFile.class.getName());

    private final Path file;
    private volatile LoadedKeys seen;

    /** Keys of one version of the file. */
    private record LoadedKeys(FileVersion stamp, JWKSet keys) {}

    private record FileVersion(FileTime changed, long size) {
        private static final FileVersion AWAY = new FileVersion(FileTime.fromMillis(0), -1);
    }

    /** @throws IOException if it cannot be read now */
    JwksFile(Path file) throws IOException, ParseException {
        this.file = file;
        this.seen = new LoadedKeys(stamp(), JWKSet.load(file.toFile()));
    }

    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
        return selector.select(current());
    }

    private JWKSet current() {
        // Before it is read: what changes meanwhile is seen the next time.
        var now = stamp();
        var before = seen;
        if (now.equals(before.stamp())) {
            return before.keys();
        }
        var keys = read(before.keys());
        seen = new LoadedKeys(now, keys);
        return keys;
    }

    private JWKSet read(JWKSet otherwise) {
        try {
            return JWKSet.load(file.toFile());
        } catch (IOException | ParseException unusable) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "Cannot read the changed keys in " + file + "; the previous ones stay in use: "
                            + unusable.getMessage());
            return otherwise;
        }
    }

    private FileVersion stamp() {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileVersion(attributes.lastModifiedTime(), attributes.size());
        } catch (IOException away) {
            return FileVersion.AWAY;
        }
    }
}
