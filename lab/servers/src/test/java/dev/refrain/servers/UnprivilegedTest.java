package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnprivilegedTest {

    @Test
    void anOrdinaryUserStaysAsHeIs() {
        Unprivileged chosen = Unprivileged.choose(false, how -> false);
        assertThat(chosen.command(List.of("postgres"))).containsExactly("postgres");
    }

    @Test
    void rootTakesTheFirstWayThatWorks() {
        assertThat(Unprivileged.choose(true, how -> true)).isEqualTo(Unprivileged.UNSHARE);
        assertThat(Unprivileged.choose(true, how -> !how.equals(Unprivileged.UNSHARE)))
                .isEqualTo(Unprivileged.SETPRIV);
        assertThat(Unprivileged.choose(true, how -> how.equals(Unprivileged.RUNUSER)))
                .isEqualTo(Unprivileged.RUNUSER);
    }

    @Test
    void whereNothingWorksTheMessageSaysWhatToDo() {
        assertThatThrownBy(() -> Unprivileged.choose(true, how -> false))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("run as an ordinary user")
                .hasMessageContaining("REFRAIN_TEST_POSTGRES_URL");
    }

    @Test
    void aProgramThatIsNotThereDoesNotWork() {
        assertThat(new Unprivileged("absent", List.of("no-such-program-here"), java.util.Optional.empty()).works())
                .isFalse();
    }
}
