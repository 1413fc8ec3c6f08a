package dev.refrain.springservice;

import java.util.List;

class FreshServiceWithLiquibaseTest extends FreshServiceTest {

    @Override
    List<String> migrations() {
        return List.of(
                "--spring.flyway.enabled=false", "--spring.liquibase.change-log=classpath:db/changelog/payments.xml");
    }
}
