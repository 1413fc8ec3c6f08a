package dev.refrain.spring;

import dev.refrain.ValueCodec;
import java.lang.reflect.Type;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Encodes values as JSON with the application's mapper. Thread-safe. */
record JsonMapperCodec(JsonMapper mapper) implements ValueCodec {

    @Override
    public byte[] encode(Object value) {
        return mapper.writeValueAsBytes(value);
    }

    /**
     * Rejects requests without properties, which Jackson would write as an empty object, so that all of them would look alike.
     */
    @Override
    public byte[] encodeRequest(Object request) {
        return mapper.writer().with(SerializationFeature.FAIL_ON_EMPTY_BEANS).writeValueAsBytes(request);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        return mapper.readValue(bytes, mapper.constructType(type));
    }
}
