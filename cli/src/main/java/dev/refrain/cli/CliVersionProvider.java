package dev.refrain.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the text of {@code --version}: version, Java and platform. */
final class CliVersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        var properties = new Properties();
        try (InputStream stream = CliVersionProvider.class.getResourceAsStream("version.properties")) {
            properties.load(stream);
        }
        return new String[] {
            "refrain " + properties.getProperty("version"),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
