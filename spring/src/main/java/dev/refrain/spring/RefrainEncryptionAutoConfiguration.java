package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Encrypts the store, its transactions and its outbox with the keys of {@code refrain.encryption.keys}, or with an {@link
 * EncryptionKeyRing} bean. Needs {@code refrain-store-encryption} on the class path.
 */
@AutoConfiguration(after = RefrainAutoConfiguration.class)
@ConditionalOnClass(EncryptingStore.class)
@ConditionalOnProperty(name = "refrain.enabled", matchIfMissing = true)
public class RefrainEncryptionAutoConfiguration {

    /** Name of the key ring that is made from the property. */
    private static final String OF_PROPERTY = "refrainEncryptionKeyRing";

    @Bean(OF_PROPERTY)
    @ConditionalOnMissingBean({EncryptionKeyRing.class, EncryptingStore.class})
    @ConditionalOnProperty("refrain.encryption.keys")
    EncryptionKeyRing refrainEncryptionKeyRing(RefrainProperties properties) {
        var settings = properties.encryption();
        return RefrainStartException.explain("refrain.encryption.keys", () -> {
            var ring = EncryptionKeyRing.parse(settings.keys());
            return settings.readPlain() ? ring.readingPlain() : ring;
        });
    }

    /** Uses a store that the application encrypts itself. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(EncryptingStore.class)
    StoreEncryption refrainOwnEncryption(EncryptingStore store) {
        return new JdbcStoreEncryption(store);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(EncryptionKeyRing.class)
    StoreEncryptor refrainStoreEncryptor(EncryptionKeyRing ring, ListableBeanFactory beans) {
        String bean = Arrays.stream(beans.getBeanNamesForType(EncryptionKeyRing.class))
                .filter(name -> beans.getBean(name).equals(ring))
                .collect(Collectors.joining(", "));
        return new RingStoreEncryptor(
                ring, bean.equals(OF_PROPERTY) ? "refrain.encryption.keys" : "The EncryptionKeyRing bean " + bean);
    }

    private record RingStoreEncryptor(EncryptionKeyRing ring, String keys) implements StoreEncryptor {

        @Override
        public StoreEncryption around(Store store) {
            return new JdbcStoreEncryption(EncryptingStore.around(store, ring));
        }
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean({JdbcStore.class, StoreEncryptor.class})
    StoreEncryption refrainStoreEncryption(JdbcStore store, StoreEncryptor encryptor, ReplaySource replays) {
        return RefrainStartException.explain("refrain.store", () -> encryptor.around(replays.before(store)));
    }

    /** Encrypts the store that the starter opens by its URL. */
    @Bean
    @ConditionalOnMissingBean(StoreEncryption.class)
    @ConditionalOnBean(value = StoreEncryptor.class, name = StoreUrlConfiguration.STORE)
    StoreEncryption refrainUrlStoreEncryption(
            @Qualifier(StoreUrlConfiguration.STORE) Store store, StoreEncryptor encryptor, ReplaySource replays) {
        return RefrainStartException.explain("refrain.store", () -> encryptor.around(replays.before(store)));
    }
}
