package dev.refrain.spring;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which server an application runs on; all of them are on the class path of the tests. */
final class WebServerConfigurations {

    private WebServerConfigurations() {}

    @Configuration(proxyBeanMethods = false)
    static class OnTomcat {
        @Bean
        TomcatServletWebServerFactory container() {
            return new TomcatServletWebServerFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJetty {
        @Bean
        JettyServletWebServerFactory container() {
            return new JettyServletWebServerFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnNetty {
        @Bean
        NettyReactiveWebServerFactory container() {
            return new NettyReactiveWebServerFactory();
        }
    }
}
