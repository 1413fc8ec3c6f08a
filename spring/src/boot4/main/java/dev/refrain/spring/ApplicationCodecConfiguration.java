package dev.refrain.spring;

import dev.refrain.ValueCodec;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Stores values as the application's own mapper writes them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JsonMapper.class)
class ApplicationCodecConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(JsonMapper.class)
    ValueCodec refrainCodec(JsonMapper mapper) {
        return new JsonMapperCodec(mapper);
    }
}
