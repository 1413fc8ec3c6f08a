package dev.refrain.spring;

import dev.refrain.outcome.Codec;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON, by the application's own mapper. */
record MapperCodec(JsonMapper mapper) implements Codec {

    @Override
    public byte[] encode(Object value) {
        return mapper.writeValueAsBytes(value);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        return mapper.readValue(bytes, mapper.constructType(type));
    }
}
