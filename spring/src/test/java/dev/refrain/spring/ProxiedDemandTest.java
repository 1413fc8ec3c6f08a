package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.spring.method.RefrainMethodAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;

/** What asks for protection is found behind proxies of interfaces too, and in classes that cannot be introspected. */
class ProxiedDemandTest {

    private static final MethodInterceptor PASSING = invocation -> invocation.proceed();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainProtectionCheckAutoConfiguration.class,
                    RefrainMethodAutoConfiguration.class));

    public interface Charging {
        void charge(String id);
    }

    static class Charges implements Charging {
        @Override
        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        @BootRetries.Retried
        public void charge(String id) {}
    }

    private static Charging proxied() {
        var factory = new ProxyFactory(Charging.class, PASSING);
        factory.setTarget(new Charges());
        return (Charging) factory.getProxy();
    }

    @Configuration(proxyBeanMethods = false)
    static class AutoProxied {
        @Bean
        static BeanNameAutoProxyCreator proxies() {
            var creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("charges");
            creator.setInterceptorNames("passing");
            return creator;
        }

        @Bean
        static MethodInterceptor passing() {
            return PASSING;
        }

        @Bean
        Charges charges() {
            return new Charges();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedByFactory {
        @Bean
        static ProxyFactoryBean charging() {
            var factory = new ProxyFactoryBean();
            factory.setTarget(new Charges());
            factory.setInterfaces(Charging.class);
            return factory;
        }
    }

    private static void assertRefused(ApplicationContextRunner runner, String... words) {
        runner.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContainingAll(words));
    }

    /** Without its interceptor the starter does not have Spring make proxies of classes either. */
    @Test
    void methodBehindInterfaceProxyIsRefusedWithoutStore() {
        var without = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class, RefrainProtectionCheckAutoConfiguration.class));
        String[] words = {"Nothing would protect Charges.charge", "no store for their keys"};
        assertRefused(without.withUserConfiguration(AutoProxied.class), words);
        assertRefused(without.withBean("charging", Charging.class, ProxiedDemandTest::proxied), words);
        assertRefused(without.withUserConfiguration(ProxiedByFactory.class), words);
        assertRefused(
                without.withInitializer(
                        context -> context.getBeanFactory().registerSingleton("charging", new Charges())),
                words);
    }

    /** Made before the post-processor that makes proxies, and with it whatever it needs. */
    static class EarlyPostProcessor implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyCharges {
        @Bean
        static Charges charges() {
            return new Charges();
        }

        @Bean
        static EarlyPostProcessor early(Charges charges) {
            return new EarlyPostProcessor();
        }
    }

    @Test
    void methodThatTheInterceptorDoesNotReachIsRefusedWithStore() {
        var with = application.withBean(MemoryStore.class, MemoryStore::new);
        String[] words = {"Nothing would protect Charges.charge", "does not intercept"};
        assertRefused(with.withBean("charging", Charging.class, ProxiedDemandTest::proxied), words);
        assertRefused(with.withUserConfiguration(EarlyCharges.class), words);
        assertRefused(
                with.withInitializer(context -> context.getBeanFactory().registerSingleton("charging", new Charges())),
                words);
        with.withBean(Charges.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Missing {}

    static class Broken {
        void needs(Missing notThere) {}

        @Idempotent(key = "#id", mode = Idempotent.Mode.LEASED_RESUME)
        public void charge(String id) {}
    }

    /** Defines {@link Broken} itself and does not know {@link Missing}. */
    private static final class PoorLoader extends ClassLoader {
        PoorLoader() {
            super(ProxiedDemandTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Missing.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            if (!name.equals(Broken.class.getName())) {
                return super.loadClass(name, resolve);
            }
            var known = findLoadedClass(name);
            try (var file =
                    Objects.requireNonNull(getParent().getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] bytes = file.readAllBytes();
                return known == null ? defineClass(name, bytes, 0, bytes.length) : known;
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void methodOfClassThatNamesMissingClassIsRefusedWithoutStore() throws Exception {
        var definition = new RootBeanDefinition(new PoorLoader().loadClass(Broken.class.getName()));
        definition.setLazyInit(true);
        var broken = application.withInitializer(context ->
                ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("broken", definition));
        assertRefused(broken, "Nothing would protect", "Broken.charge");
        // With a store it may start: Spring itself refuses the bean when it is needed.
        broken.withBean(MemoryStore.class, MemoryStore::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void retriedMethodBehindInterfaceProxyIsSeen() {
        application
                .withBean("orders", Orders.class, ProxiedDemandTest::orders)
                .run(context -> assertThat(new UnprotectedRetryDetector(context.getBeanFactory()).unprotected())
                        .containsExactly("RetriedOrders.place"));
    }

    public interface Orders {
        void place();
    }

    static class RetriedOrders implements Orders {
        @Override
        @BootRetries.Retried
        public void place() {}
    }

    private static Orders orders() {
        var factory = new ProxyFactory(Orders.class, PASSING);
        factory.setTarget(new RetriedOrders());
        return (Orders) factory.getProxy();
    }
}
