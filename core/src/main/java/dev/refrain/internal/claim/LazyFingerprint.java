package dev.refrain.internal.claim;

import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprint of one request, computed when it is first needed: a call that is refused because the store is overloaded costs
 * none. The request is encoded once and before its work, which may change it. Not needed by two threads at the same time.
 */
public final class LazyFingerprint {

    /** Fingerprint of an encoded request, by the current recipe and by others. */
    private record Computed(Fingerprint current, Function<String, Fingerprint> byRecipe) {}

    private final Supplier<Computed> computation;
    private volatile @Nullable Computed computed;

    private LazyFingerprint(Supplier<Computed> computation) {
        this.computation = computation;
    }

    /** Returns the fingerprint of a request that is encoded when it is needed. */
    public static LazyFingerprint of(
            Supplier<RequestContent> encoding,
            Function<RequestContent, Fingerprint> current,
            BiFunction<RequestContent, String, Fingerprint> byRecipe) {
        return new LazyFingerprint(() -> {
            var content = encoding.get();
            return new Computed(current.apply(content), recipe -> byRecipe.apply(content, recipe));
        });
    }

    /** Returns a fingerprint that is known, whatever the recipe. */
    static LazyFingerprint known(Fingerprint fingerprint) {
        var known = new Computed(fingerprint, otherRecipe -> fingerprint);
        return new LazyFingerprint(() -> known);
    }

    Fingerprint get() {
        return computed().current();
    }

    Fingerprint byRecipe(String recipe) {
        var all = computed();
        return recipe.equals(all.current().recipe())
                ? all.current()
                : all.byRecipe().apply(recipe);
    }

    private Computed computed() {
        var known = computed;
        if (known == null) {
            known = computation.get();
            computed = known;
        }
        return known;
    }
}
