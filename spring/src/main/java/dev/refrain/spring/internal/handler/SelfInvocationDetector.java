package dev.refrain.spring.internal.handler;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds methods of a bean that call a protected method of the same bean. Spring intercepts only calls from outside, so the called
 * method runs unprotected. Reads the class files; a class with a reference to its own type, through which it may call itself
 * properly, is left alone.
 */
public final class SelfInvocationDetector {

    private final Class<?> bean;
    private final Set<String> guarded;
    private final Set<String> callers;
    private final Set<String> found = new TreeSet<>();
    private boolean knowsItsProxy;

    private SelfInvocationDetector(Class<?> bean, Collection<Method> guarded, Collection<Method> callers) {
        this.bean = bean;
        this.guarded = named(guarded);
        this.callers = named(callers);
    }

    private static Set<String> named(Collection<Method> methods) {
        return methods.stream()
                .map(method -> method.getName() + Type.getMethodDescriptor(method))
                .collect(Collectors.toSet());
    }

    /** Returns each such call, in words. */
    public static Set<String> find(Class<?> bean, Collection<Method> guarded) {
        var detector = new SelfInvocationDetector(bean, guarded, Set.of());
        detector.readAll();
        return detector.knowsItsProxy ? Set.of() : detector.found;
    }

    /**
     * Returns each call of a controller's own protected handler, in words. No reference to itself helps there: requests are intercepted, not
     * calls.
     *
     * @param callers handlers that are protected themselves, and what they call with them
     */
    static Set<String> findCallsOfHandlers(
            Class<?> controller, Collection<Method> guarded, Collection<Method> callers) {
        var detector = new SelfInvocationDetector(controller, guarded, callers);
        detector.readAll();
        return detector.found;
    }

    private void readAll() {
        for (Class<?> each = bean; each != null && each != Object.class; each = each.getSuperclass()) {
            read(each);
        }
    }

    private void read(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (var bytes = type.getResourceAsStream(file)) {
            if (bytes != null) {
                new ClassReader(bytes)
                        .accept(new CallReader(owners()), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException e) {
            // A class file that cannot be read, or is newer than the reader: there is no warning then.
        }
    }

    private Set<String> owners() {
        var names = new HashSet<String>();
        for (Class<?> each = bean; each != null && each != Object.class; each = each.getSuperclass()) {
            names.add(Type.getInternalName(each));
        }
        return names;
    }

    /** Reads the calls in one class. */
    private final class CallReader extends ClassVisitor {
        private final Set<String> owners;

        CallReader(Set<String> owners) {
            super(SpringAsmInfo.ASM_VERSION);
            this.owners = owners;
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            String types = descriptor + signature;
            if (owners.stream().anyMatch(owner -> types.contains("L" + owner + ";"))) {
                knowsItsProxy = true;
            }
            return null;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String caller,
                String ofCaller,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return (access & Opcodes.ACC_BRIDGE) != 0
                    ? null
                    : new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
                        @Override
                        public void visitMethodInsn(
                                int opcode, String owner, String name, String descriptor, boolean ofInterface) {
                            if (owner.equals("org/springframework/aop/framework/AopContext")) {
                                knowsItsProxy = true;
                            }
                            called(owner, name, descriptor);
                        }

                        @Override
                        public void visitInvokeDynamicInsn(
                                String name, String descriptor, Handle maker, Object... arguments) {
                            for (Object argument : arguments) {
                                if (argument instanceof Handle handle) {
                                    called(handle.getOwner(), handle.getName(), handle.getDesc());
                                }
                            }
                        }

                        private void called(String owner, String name, String descriptor) {
                            boolean itself = caller.equals(name) && ofCaller.equals(descriptor);
                            if (owners.contains(owner)
                                    && guarded.contains(name + descriptor)
                                    && !itself
                                    && !isProtected(caller, ofCaller)) {
                                found.add(bean.getSimpleName() + "." + inWords(caller) + " calls "
                                        + bean.getSimpleName() + "." + name);
                            }
                        }
                    };
        }

        /** A lambda is known by the name of its method alone. */
        private boolean isProtected(String caller, String ofCaller) {
            return callers.contains(caller + ofCaller)
                    || (!caller.equals(inWords(caller))
                            && callers.stream().anyMatch(each -> each.startsWith(inWords(caller) + "(")));
        }

        /** Returns the name of the method in whose body a lambda is written. */
        private static String inWords(String caller) {
            return caller.replaceFirst("^lambda\\$([^$]+)\\$.*$", "$1");
        }
    }
}
