package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The alert rules as a file: readable, explained, and each with a row in the runbook. */
class AlertRulesTest {

    @Test
    void eachRuleHasAnExpressionAndIsNamedOnce() throws Exception {
        assertThat(AlertRule.all()).hasSizeGreaterThan(10).allSatisfy(rule -> {
            assertThat(rule.name()).startsWith("Refrain");
            assertThat(rule.metrics()).as(rule.expression()).isNotEmpty();
        });
        assertThat(AlertRule.all()).extracting(AlertRule::name).doesNotHaveDuplicates();
    }

    @Test
    void eachRuleHasASummaryADescriptionAndARowInTheRunbook() throws Exception {
        String operations = Files.readString(Path.of("../docs/operations.md"));

        assertThat(AlertRule.all()).allSatisfy(rule -> {
            assertThat(rule.annotations()).as(rule.name()).containsOnlyKeys("summary", "description", "runbook");
            assertThat(rule.annotations().get("summary")).endsWith(".");
            assertThat(rule.annotations().get("description")).endsWith(".");
            assertThat(rule.annotations()).containsEntry("runbook", "docs/operations.md#" + rule.name());
            assertThat(operations).contains("<a id=\"" + rule.name() + "\"></a>");
        });
    }
}
