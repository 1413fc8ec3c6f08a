package dev.refrain.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Table of the results: what bank, shop and client saw, with and without protection. */
final class ScenarioResultTable {

    private ScenarioResultTable() {}

    static List<String> of(List<ScenarioResult> results) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("", "protected", "", "", "unprotected", "", ""));
        rows.add(List.of("scenario", "bank", "shop", "client", "bank", "shop", "client"));
        for (var one : results) {
            var row = new ArrayList<String>();
            row.add(one.scenario().title());
            for (var result : List.of(one.guarded(), one.bare())) {
                row.addAll(List.of(result.bank(), result.shop(), result.client()));
            }
            rows.add(row);
        }
        return rows.stream().map(row -> line(row, widths(rows))).toList();
    }

    private static List<Integer> widths(List<List<String>> rows) {
        var widths = new ArrayList<Integer>();
        for (int column = 0; column < rows.getFirst().size(); column++) {
            int at = column;
            widths.add(rows.stream().mapToInt(row -> row.get(at).length()).max().orElseThrow());
        }
        return widths;
    }

    private static String line(List<String> row, List<Integer> widths) {
        var cells = new ArrayList<String>();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            cells.add(cell + " ".repeat(widths.get(column) - cell.length()));
        }
        return cells.stream().collect(Collectors.joining("  ")).stripTrailing();
    }
}
