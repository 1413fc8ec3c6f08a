package dev.refrain.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which server an application runs on; all of them are on the class path of the tests. */
final class WebServerConfigurations {

    private WebServerConfigurations() {}

    @Configuration(proxyBeanMethods = false)
    static class OnTomcat {
        @Bean
        BootParts.Tomcat container() {
            return new BootParts.Tomcat();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJetty {
        @Bean
        BootParts.Jetty container() {
            return new BootParts.Jetty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnNetty {
        @Bean
        BootParts.Netty container() {
            return new BootParts.Netty();
        }
    }
}
