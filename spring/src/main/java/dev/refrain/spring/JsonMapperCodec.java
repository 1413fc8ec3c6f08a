package dev.refrain.spring;

import dev.refrain.ValueCodec;
import java.lang.reflect.Type;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON, by the application's own mapper. */
record JsonMapperCodec(JsonMapper mapper) implements ValueCodec {

    @Override
    public byte[] encode(Object value) {
        return mapper.writeValueAsBytes(value);
    }

    /** By itself Jackson writes what has no properties as an empty object. */
    @Override
    public byte[] encodeRequest(Object request) {
        return mapper.writer().with(SerializationFeature.FAIL_ON_EMPTY_BEANS).writeValueAsBytes(request);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        return mapper.readValue(bytes, mapper.constructType(type));
    }
}
