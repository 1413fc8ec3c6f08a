package dev.refrain.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.refrain.ValueCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;

/** Encodes values as JSON with the application's mapper, of Jackson 2. Thread-safe. */
record ObjectMapperCodec(ObjectMapper mapper) implements ValueCodec {

    /** Writes a result without properties as an empty object, as Jackson 3 does, where Jackson 2 would fail after the work was done. */
    @Override
    public byte[] encode(Object value) {
        return write(mapper.writer().without(SerializationFeature.FAIL_ON_EMPTY_BEANS), value);
    }

    /** Rejects requests without properties: as empty objects all of them would look alike. */
    @Override
    public byte[] encodeRequest(Object request) {
        return write(mapper.writer().with(SerializationFeature.FAIL_ON_EMPTY_BEANS), request);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        try {
            return mapper.readValue(bytes, mapper.constructType(type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
