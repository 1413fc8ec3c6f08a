package dev.refrain.flow;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteFlowTest extends FlowContract {

    @TempDir
    Path directory;

    @Override
    DataSource database() {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        return source;
    }
}
