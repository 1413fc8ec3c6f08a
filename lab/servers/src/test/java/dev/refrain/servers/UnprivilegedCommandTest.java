package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnprivilegedCommandTest {

    @Test
    void ordinaryUserStaysAsHeIs() {
        UnprivilegedCommand chosen = UnprivilegedCommand.choose(false, how -> false);
        assertThat(chosen.command(List.of("postgres"))).containsExactly("postgres");
    }

    @Test
    void rootTakesTheFirstWayThatWorks() {
        assertThat(UnprivilegedCommand.choose(true, how -> true)).isEqualTo(UnprivilegedCommand.UNSHARE);
        assertThat(UnprivilegedCommand.choose(true, how -> !how.equals(UnprivilegedCommand.UNSHARE)))
                .isEqualTo(UnprivilegedCommand.SETPRIV);
        assertThat(UnprivilegedCommand.choose(true, how -> how.equals(UnprivilegedCommand.RUNUSER)))
                .isEqualTo(UnprivilegedCommand.RUNUSER);
    }

    @Test
    void messageSaysWhatToDoWhereNoCommandWorks() {
        assertThatThrownBy(() -> UnprivilegedCommand.choose(true, how -> false))
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("run as an ordinary user")
                .hasMessageContaining("REFRAIN_TEST_POSTGRES_URL");
    }

    @Test
    void programThatIsNotThereDoesNotWork() {
        assertThat(new UnprivilegedCommand("absent", List.of("no-such-program-here"), java.util.Optional.empty())
                        .works())
                .isFalse();
    }
}
