package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestHeadTest {

    @Test
    void textForLogsHasNoQueryAndNoPathParameters() {
        var head = new RequestHead("post", "/a;jsessionid=secret/b;v=1;w=2", "token=secret", "", name -> List.of());

        assertThat(head).hasToString("POST /a;…/b;…");
        assertThat(head.path()).as("what routes match").contains("jsessionid=secret");
    }
}
