package dev.refrain.key;

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

class IdentityTest {

    @Test
    void the_scope_alone_may_be_empty() {
        assertThatCode(() -> new Identity("", "payments", "k")).doesNotThrowAnyException();
        assertThatThrownBy(() -> new Identity("acme", "", "k"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageStartingWith("The namespace is empty");
        assertThatThrownBy(() -> new Identity("acme", "payments", ""))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageStartingWith("The key is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "\uD83D", "\uDE00x"})
    void what_no_store_keeps_is_refused_in_every_part(String bad) {
        assertThatThrownBy(() -> new Identity(bad, "n", "k"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageStartingWith("The scope holds a NUL");
        assertThatThrownBy(() -> new Identity("s", bad, "k"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageStartingWith("The namespace holds a NUL");
        assertThatThrownBy(() -> new Identity("s", "n", bad))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageStartingWith("The key holds a NUL");
    }

    @Test
    void length_is_counted_in_bytes() {
        assertThatCode(() -> new Identity("é".repeat(256), "n", "k")).doesNotThrowAnyException();
        assertThatThrownBy(() -> new Identity("é".repeat(257), "n", "k"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("The scope is longer than 512 bytes.");
    }

    static Stream<List<Identity>> identitiesThatAreAlikeAsOneText() {
        return Stream.of(
                List.of(new Identity("ab", "c", "d"), new Identity("a", "bc", "d")),
                List.of(new Identity("a", "bc", "d"), new Identity("a", "b", "cd")),
                List.of(new Identity("", "ab", "c"), new Identity("a", "b", "c")),
                List.of(new Identity("a/b", "c", "d"), new Identity("a", "b/c", "d")),
                List.of(new Identity("a", "b", "k"), new Identity("a", "B", "k")),
                List.of(new Identity("a", "b", "k"), new Identity("a", "b", "K")));
    }

    @ParameterizedTest
    @MethodSource("identitiesThatAreAlikeAsOneText")
    void identities_that_differ_in_any_part_have_different_lookups(List<Identity> pair) {
        assertThat(pair.get(0).hash()).isNotEqualTo(pair.get(1).hash());
    }

    @Test
    void a_lookup_never_changes_between_versions() {
        assertThat(new Identity("acme", "payments", "k-1").hash().asUuid())
                .isEqualTo(UUID.fromString("822b33ad-f6d2-cd6f-1a09-286773c5007d"));
    }

    @Test
    void a_lookup_and_its_uuid_are_the_same_bytes() {
        var lookup = new Identity("acme", "payments", "k-1").hash();

        assertThat(Lookup.of(lookup.asUuid())).isEqualTo(lookup);
        assertThat(lookup).hasToString(lookup.asUuid().toString());
    }

    @Test
    void all_records_of_a_scope_lie_in_its_range_and_those_of_others_do_not() {
        var any = Identity.anyHashOfScope("acme");
        var own = IntStream.range(0, 500).mapToObj(i -> new Identity("acme", "n" + i % 7, "k" + i).hash());
        var foreign = IntStream.range(0, 500).mapToObj(i -> new Identity("acme" + i, "n", "k").hash());

        assertThat(own).allMatch(l -> isWithin(l, any));
        assertThat(foreign).noneMatch(l -> isWithin(l, any));
    }

    private static boolean isWithin(Lookup lookup, Lookup any) {
        return lookup.compareTo(any.firstOfScope()) >= 0 && lookup.compareTo(any.lastOfScope()) <= 0;
    }

    @Test
    void lookups_are_ordered_as_databases_order_uuids() {
        var lookups = Stream.of(
                        "00000000-0000-0000-0000-000000000000",
                        "00000000-0000-0000-8000-000000000000",
                        "00000000-0000-0001-0000-000000000000",
                        "7fffffff-ffff-ffff-ffff-ffffffffffff",
                        "80000000-0000-0000-0000-000000000000",
                        "ffffffff-ffff-ffff-ffff-ffffffffffff")
                .map(UUID::fromString)
                .map(Lookup::of)
                .toList();

        assertThat(lookups.reversed().stream().sorted()).isEqualTo(lookups);
    }

    @Test
    void what_is_logged_shows_neither_scope_nor_the_whole_key() {
        assertThat(new Identity("secret-tenant", "payments", "8e03978e-40d5")).hasToString("payments/8e03…");
        assertThat(new Identity("secret-tenant", "payments", "12345678")).hasToString("payments/…");
    }
}
