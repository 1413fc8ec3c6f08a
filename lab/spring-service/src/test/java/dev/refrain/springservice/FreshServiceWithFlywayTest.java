package dev.refrain.springservice;

import java.util.List;

class FreshServiceWithFlywayTest extends FreshServiceTest {

    @Override
    List<String> migrations() {
        return List.of("--spring.liquibase.enabled=false");
    }
}
