package dev.refrain.spring.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;

/** Types that hide a future inside of another type. */
class AsyncTypesTest {

    static final class Late extends HttpEntity<CompletableFuture<String>> {}

    interface Returned<T extends Comparable<T>> {
        ResponseEntity<CompletableFuture<?>> asyncBody();

        ResponseEntity<? extends CompletableFuture<?>> asyncWildcard();

        ResponseEntity<Optional<Future<String>>> asyncOptionalBody();

        Optional<CompletableFuture<String>> asyncOptional();

        List<Callable<String>> asyncList();

        Map<String, Flux<String>> asyncMap();

        Late asyncSuperclass();

        ResponseEntity<?> anyBody();

        ResponseEntity<Map<String, List<T>>> plainBody();

        T plainVariable();

        @SuppressWarnings("rawtypes")
        Enum plainRaw();

        String plain();
    }

    static Stream<String> methods() {
        return Stream.of(Returned.class.getMethods()).map(method -> method.getName());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void typesAreAsyncIfTheirNamesSaySo(String method) throws NoSuchMethodException {
        assertThat(AsyncTypes.isAsyncResponse(ResolvableType.forMethodReturnType(Returned.class.getMethod(method))))
                .isEqualTo(method.startsWith("async"));
    }
}
