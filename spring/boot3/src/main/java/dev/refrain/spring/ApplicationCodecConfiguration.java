package dev.refrain.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.refrain.ValueCodec;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Stores values as the application's own mapper writes them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObjectMapper.class)
class ApplicationCodecConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(ObjectMapper.class)
    ValueCodec refrainCodec(ObjectMapper mapper) {
        return new ObjectMapperCodec(mapper);
    }
}
