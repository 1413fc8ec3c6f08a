package dev.refrain.store.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one connection as its dialect allows: a whole batch as arrays in one round trip, or row by row.
 *
 * <p>With JSON a script runs statement by statement for all rows of a batch: each statement takes them as {@code {rows(…)}} at once, or is
 * sent for each of them. A statement that returns rows leaves those of the batch that it returned, by its first column: what follows is for
 * them alone.
 *
 * <p>When a script runs statement by statement, it ends after a statement that could return rows but returns none: nothing was
 * changed, so nothing follows. (Where statements are sent together, the script itself handles that.)
 *
 * <p>Not thread-safe, like its connection. Does not own the connection.
 */
public final class SqlSession implements AutoCloseable {

    /** Maps one row of a result. */
    @FunctionalInterface
    public interface RowMapper<R> {
        R map(SqlResultRow columns) throws SQLException;
    }

    /** Handles one row of one of several results, counted from zero. */
    @FunctionalInterface
    public interface RowHandler {
        void handle(int result, SqlResultRow columns) throws SQLException;
    }

    /** Action that calls the database. */
    @FunctionalInterface
    public interface SqlAction<T> {
        T run() throws SQLException;
    }

    private final Connection connection;
    private final SqlScriptLibrary scripts;
    private final Dialect dialect;
    private final String limits;
    private final Runnable beforeTrip;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private boolean inTransaction;

    /**
     * Creates a session.
     *
     * @param limits the SQL with which each round trip begins; empty for none
     */
    public SqlSession(Connection connection, SqlScriptLibrary scripts, String limits) {
        this(connection, scripts, limits, () -> {});
    }

    /**
     * Creates a session with a callback.
     *
     * @param beforeTrip called before each round trip
     */
    public SqlSession(Connection connection, SqlScriptLibrary scripts, String limits, Runnable beforeTrip) {
        this.connection = connection;
        this.beforeTrip = beforeTrip;
        this.scripts = scripts;
        this.dialect = scripts.dialect();
        this.limits = limits;
    }

    public Connection connection() {
        return connection;
    }

    /** Returns a session with the same settings on another connection. */
    public SqlSession on(Connection other) {
        return new SqlSession(other, scripts, limits, beforeTrip);
    }

    public Dialect dialect() {
        return dialect;
    }

    public SqlScriptLibrary scripts() {
        return scripts;
    }

    /** Runs a script for many rows at once. Results come in any order, and some rows may have none. */
    public <Q, R> List<R> runBatch(ParameterizedScript<Q> question, List<Q> rows, RowMapper<R> reader)
            throws SQLException {
        var answers = new ArrayList<R>(rows.size());
        if (rows.isEmpty()) {
            return answers;
        }
        RowHandler each = (result, columns) -> answers.add(reader.map(columns));
        if (dialect.bindsArrays()) {
            pipelined(question, rows, true, each);
        } else if (dialect.bindsJson()) {
            new JsonScriptRun<>(question, rows).run(each);
        } else {
            for (Q row : rows) {
                runStatementByStatement(question, row, each);
            }
        }
        return answers;
    }

    /** Runs a script with single values. */
    public <Q> void run(ParameterizedScript<Q> question, Q row, RowHandler each) throws SQLException {
        if (dialect.bindsArrays()) {
            pipelined(question, List.of(row), false, each);
        } else if (dialect.bindsJson()) {
            new JsonScriptRun<>(question, List.of(row)).run(each);
        } else {
            runStatementByStatement(question, row, each);
        }
    }

    public <Q, R> List<R> run(ParameterizedScript<Q> question, Q row, RowMapper<R> reader) throws SQLException {
        var answers = new ArrayList<R>();
        run(question, row, (result, columns) -> answers.add(reader.map(columns)));
        return answers;
    }

    /** Runs two scripts in one round trip, the second only if the first does not fail; where scripts are sent as a whole. */
    public <P, Q> void runBoth(
            ParameterizedScript<P> first, P firstRow, ParameterizedScript<Q> second, Q secondRow, RowHandler each)
            throws SQLException {
        var statement = prepare(scripts.pipelined(limits, first.scriptName(), second.scriptName())
                .sql());
        int last =
                bind(statement, 0, scripts.pipelined(limits, first.scriptName()).parameters(), first, firstRow);
        bind(statement, last, scripts.pipelined(limits, second.scriptName()).parameters(), second, secondRow);
        read(statement, limits.isEmpty() ? 0 : -1, each);
    }

    /** Runs several scripts atomically, with a transaction only where each is not already atomic by itself. */
    public <T> T atomically(SqlAction<T> body) throws SQLException {
        return dialect.bindsArrays() ? body.run() : inTransaction(body);
    }

    /** Runs several scripts in one transaction, even where each is atomic by itself. */
    public <T> T inTransaction(SqlAction<T> body) throws SQLException {
        if (inTransaction && dialect.bindsJson()) {
            // To begin another one would commit this one.
            return body.run();
        }
        execute(dialect.transactionStart());
        inTransaction = true;
        try {
            T result = body.run();
            commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            // Errors too: in a transaction that stays open, later writes would look committed and are not.
            try {
                execute("ROLLBACK");
            } catch (SQLException alreadyRolledBack) {
                e.addSuppressed(alreadyRolledBack);
            }
            throw e;
        } finally {
            inTransaction = false;
        }
    }

    private void commit() throws SQLException {
        try {
            execute("COMMIT");
        } catch (SQLException e) {
            throw dialect.commitMayBeIndeterminate() && dialect.failures().isContention(e)
                    ? new PartialBatchException(e)
                    : e;
        }
    }

    public void execute(String sql) throws SQLException {
        beforeTrip.run();
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private <Q> void pipelined(ParameterizedScript<Q> question, List<Q> rows, boolean arrays, RowHandler each)
            throws SQLException {
        var whole = scripts.pipelined(limits, question.scriptName());
        var statement = prepare(whole.sql());
        if (arrays) {
            bindArrays(statement, whole.parameters(), question, rows);
        } else {
            bind(statement, 0, whole.parameters(), question, rows.getFirst());
        }
        read(statement, limits.isEmpty() ? 0 : -1, each);
    }

    private <Q> void bindArrays(
            PreparedStatement statement, List<String> names, ParameterizedScript<Q> question, List<Q> rows)
            throws SQLException {
        int index = 0;
        for (String name : names) {
            var parameter = question.parameter(name);
            var values = parameter.kind().array(rows.size());
            boolean any = false;
            for (int i = 0; i < values.length; i++) {
                values[i] = parameter.value().apply(rows.get(i));
                any |= values[i] != null;
            }
            // What nobody has is not sent: unnest fills the shorter of its arrays up with NULL.
            parameter
                    .kind()
                    .bindArray(
                            statement, ++index, any ? values : parameter.kind().array(0));
        }
    }

    /** Binds parameters; returns the index of the last one. */
    private <Q> int bind(
            PreparedStatement statement, int last, List<String> names, ParameterizedScript<Q> question, Q row)
            throws SQLException {
        int index = last;
        for (String name : names) {
            var parameter = question.parameter(name);
            parameter.kind().bind(statement, ++index, parameter.value().apply(row), !dialect.bindsArrays());
        }
        return index;
    }

    private void read(PreparedStatement statement, int firstResult, RowHandler each) throws SQLException {
        beforeTrip.run();
        int result = firstResult;
        for (boolean isRows = statement.execute();
                isRows || statement.getUpdateCount() != -1;
                isRows = statement.getMoreResults()) {
            if (isRows) {
                read(statement.getResultSet(), result, each);
                result++;
            }
        }
    }

    private <Q> void runStatementByStatement(ParameterizedScript<Q> question, Q row, RowHandler each)
            throws SQLException {
        int result = 0;
        for (var step : scripts.named(question.scriptName()).statements()) {
            var statement = prepare(step.sql());
            bind(statement, 0, step.parameters(), question, row);
            if (statement.execute()) {
                if (read(statement.getResultSet(), result, each) == 0) {
                    return;
                }
                result++;
            }
        }
    }

    /** Script that runs statement by statement for all rows of a batch. */
    private final class JsonScriptRun<Q> {

        private final ParameterizedScript<Q> question;
        private List<Q> left;
        private String picked = JsonBatch.NONE;
        private int result;

        JsonScriptRun(ParameterizedScript<Q> question, List<Q> rows) {
            this.question = question;
            this.left = rows;
        }

        void run(RowHandler each) throws SQLException {
            var steps = scripts.named(question.scriptName()).statements();
            for (var step : steps) {
                if (picked.equals(JsonBatch.NONE) && step.needsPicked()) {
                    continue;
                }
                var rows = step.required().isEmpty()
                        ? left
                        : left.stream()
                                .filter(row -> valueOf(step.required(), row) != null)
                                .toList();
                if (left.isEmpty()) {
                    return;
                }
                if (rows.isEmpty()) {
                    continue;
                }
                beforeTrip.run();
                var statement = prepare(step.sql());
                if (step.isForEachRow() && rows.size() > 1) {
                    sendForEach(statement, step, rows);
                } else {
                    bind(statement, step, rows, rows.getFirst());
                    if (statement.execute()) {
                        read(statement.getResultSet(), step, step.equals(steps.getLast()), each);
                    }
                }
            }
        }

        private @Nullable Object valueOf(String parameter, Q row) {
            return question.parameter(parameter).value().apply(row);
        }

        private void sendForEach(PreparedStatement statement, SqlScript.SqlStatement step, List<Q> rows)
                throws SQLException {
            for (Q row : rows) {
                bind(statement, step, rows, row);
                statement.addBatch();
            }
            statement.executeBatch();
        }

        private void bind(PreparedStatement statement, SqlScript.SqlStatement step, List<Q> rows, Q row)
                throws SQLException {
            int index = 0;
            for (String name : step.parameters()) {
                index++;
                if (name.equals(BatchRows.ROWS)) {
                    statement.setString(index, JsonBatch.of(question, step.members(), rows));
                } else if (name.equals(BatchRows.PICKED)) {
                    statement.setString(index, picked);
                } else {
                    question.parameter(name).kind().bind(statement, index, valueOf(name, row), true);
                }
            }
        }

        private void read(ResultSet rows, SqlScript.SqlStatement step, boolean last, RowHandler each)
                throws SQLException {
            try (rows) {
                if (step.picks()) {
                    picked = JsonBatch.of(rows);
                    return;
                }
                var columns = new SqlResultRow(rows, dialect);
                var key = left.size() > 1 && !last
                        ? question.parameter(rows.getMetaData().getColumnLabel(1))
                        : null;
                var returned = new HashSet<Object>();
                boolean any = false;
                while (rows.next()) {
                    any = true;
                    each.handle(result, columns);
                    if (key != null) {
                        returned.add(key.kind().read(rows, 1));
                    }
                }
                result++;
                left = key == null
                        ? any ? left : List.of()
                        : left.stream()
                                .filter(row -> returned.contains(key.value().apply(row)))
                                .toList();
            }
        }
    }

    private int read(ResultSet rows, int result, RowHandler each) throws SQLException {
        int count = 0;
        try (rows) {
            var columns = new SqlResultRow(rows, dialect);
            while (rows.next()) {
                count++;
                if (result >= 0) {
                    each.handle(result, columns);
                }
            }
        }
        return count;
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        var known = prepared.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            prepared.put(sql, known);
        }
        return known;
    }

    @Override
    public void close() throws SQLException {
        for (var statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }
}
