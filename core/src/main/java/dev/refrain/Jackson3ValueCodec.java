package dev.refrain;

import java.lang.reflect.Type;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Typed values as JSON by Jackson 3, with a standard mapper. An application with a mapper of its own wraps it in a {@link ValueCodec}. */
final class Jackson3ValueCodec implements ValueCodec {

    private final ObjectMapper mapper;

    private Jackson3ValueCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    static ValueCodec standard() {
        return new Jackson3ValueCodec(JsonMapper.builder().build());
    }

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
