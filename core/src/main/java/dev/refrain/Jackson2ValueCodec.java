package dev.refrain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;

/**
 * Typed values as JSON by Jackson 2, with the modules that are on the class path and, where they matter for what is stored, the defaults of
 * Jackson 3: dates as text, unknown properties skipped.
 */
final class Jackson2ValueCodec implements ValueCodec {

    private final ObjectMapper mapper;

    private Jackson2ValueCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    static ValueCodec standard() {
        return new Jackson2ValueCodec(JsonMapper.builder()
                .addModules(MapperBuilder.findModules(Jackson2ValueCodec.class.getClassLoader()))
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses what has no properties, which would be written as an empty object. */
    @Override
    public byte[] encodeRequest(Object request) {
        try {
            return mapper.writer()
                    .with(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .writeValueAsBytes(request);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        try {
            return mapper.readValue(bytes, mapper.constructType(type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
