package dev.refrain.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScopedKeyTest {

    @Test
    void scopeAloneMayBeEmpty() {
        assertThatCode(() -> new ScopedKey("", "payments", "k")).doesNotThrowAnyException();
        assertThatThrownBy(() -> new ScopedKey("acme", "", "k"))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageStartingWith("The namespace is empty");
        assertThatThrownBy(() -> new ScopedKey("acme", "payments", ""))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageStartingWith("The key is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "\uD83D", "\uDE00x"})
    void characterThatNoStoreKeepsIsRefusedInEveryPart(String bad) {
        assertThatThrownBy(() -> new ScopedKey(bad, "n", "k"))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageStartingWith("The scope holds a NUL");
        assertThatThrownBy(() -> new ScopedKey("s", bad, "k"))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageStartingWith("The namespace holds a NUL");
        assertThatThrownBy(() -> new ScopedKey("s", "n", bad))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageStartingWith("The key holds a NUL");
    }

    @Test
    void lengthIsCountedInBytes() {
        assertThatCode(() -> new ScopedKey("é".repeat(256), "n", "k")).doesNotThrowAnyException();
        assertThatThrownBy(() -> new ScopedKey("é".repeat(257), "n", "k"))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The scope is longer than 512 bytes.");
    }

    static Stream<List<ScopedKey>> identitiesThatAreAlikeAsOneText() {
        return Stream.of(
                List.of(new ScopedKey("ab", "c", "d"), new ScopedKey("a", "bc", "d")),
                List.of(new ScopedKey("a", "bc", "d"), new ScopedKey("a", "b", "cd")),
                List.of(new ScopedKey("", "ab", "c"), new ScopedKey("a", "b", "c")),
                List.of(new ScopedKey("a/b", "c", "d"), new ScopedKey("a", "b/c", "d")),
                List.of(new ScopedKey("a", "b", "k"), new ScopedKey("a", "B", "k")),
                List.of(new ScopedKey("a", "b", "k"), new ScopedKey("a", "b", "K")));
    }

    @ParameterizedTest
    @MethodSource("identitiesThatAreAlikeAsOneText")
    void identitiesThatDifferInAnyPartHaveDifferentLookups(List<ScopedKey> pair) {
        assertThat(pair.get(0).hash()).isNotEqualTo(pair.get(1).hash());
    }

    @Test
    void lookupNeverChangesBetweenVersions() {
        assertThat(new ScopedKey("acme", "payments", "k-1").hash().asUuid())
                .isEqualTo(UUID.fromString("822b33ad-f6d2-cd6f-1a09-286773c5007d"));
    }

    @Test
    void lookupAndItsUuidAreTheSameBytes() {
        var lookup = new ScopedKey("acme", "payments", "k-1").hash();

        assertThat(KeyHash.of(lookup.asUuid())).isEqualTo(lookup);
        assertThat(lookup).hasToString(lookup.asUuid().toString());
    }

    @Test
    void allRecordsOfAScopeLieInItsRangeAndThoseOfOthersDoNot() {
        var any = ScopedKey.anyHashOfScope("acme");
        var own = IntStream.range(0, 500).mapToObj(i -> new ScopedKey("acme", "n" + i % 7, "k" + i).hash());
        var foreign = IntStream.range(0, 500).mapToObj(i -> new ScopedKey("acme" + i, "n", "k").hash());

        assertThat(own).allMatch(l -> isWithin(l, any));
        assertThat(foreign).noneMatch(l -> isWithin(l, any));
    }

    private static boolean isWithin(KeyHash lookup, KeyHash any) {
        return lookup.compareTo(any.firstOfScope()) >= 0 && lookup.compareTo(any.lastOfScope()) <= 0;
    }

    @Test
    void lookupsAreOrderedAsDatabasesOrderUuids() {
        var lookups = Stream.of(
                        "00000000-0000-0000-0000-000000000000",
                        "00000000-0000-0000-8000-000000000000",
                        "00000000-0000-0001-0000-000000000000",
                        "7fffffff-ffff-ffff-ffff-ffffffffffff",
                        "80000000-0000-0000-0000-000000000000",
                        "ffffffff-ffff-ffff-ffff-ffffffffffff")
                .map(UUID::fromString)
                .map(KeyHash::of)
                .toList();

        assertThat(lookups.reversed().stream().sorted()).isEqualTo(lookups);
    }

    @Test
    void loggedKeyShowsNeitherScopeNorTheWholeKey() {
        assertThat(new ScopedKey("secret-tenant", "payments", "8e03978e-40d5")).hasToString("payments/8e03…");
        assertThat(new ScopedKey("secret-tenant", "payments", "12345678")).hasToString("payments/…");
    }
}
