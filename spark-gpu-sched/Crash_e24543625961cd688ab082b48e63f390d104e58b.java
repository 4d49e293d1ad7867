import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class Crash_e24543625961cd688ab082b48e63f390d104e58b {
    static final String base64Bytes = String.join("", "BQABEAAAAAAAAAAAABcAAAAAAACKofoAAEA=");

    public static void main(String[] args) throws Throwable {
        Crash_e24543625961cd688ab082b48e63f390d104e58b.class.getClassLoader().setDefaultAssertionStatus(true);
        try {
            Method fuzzerInitialize = io.github.sparkgpusched.device.remote.FrameFuzz.class.getMethod("fuzzerInitialize");
            fuzzerInitialize.invoke(null);
        } catch (NoSuchMethodException ignored) {
            try {
                Method fuzzerInitialize = io.github.sparkgpusched.device.remote.FrameFuzz.class.getMethod("fuzzerInitialize", String[].class);
                fuzzerInitialize.invoke(null, (Object) args);
            } catch (NoSuchMethodException ignored1) {
            } catch (IllegalAccessException | InvocationTargetException e) {
                e.printStackTrace();
                System.exit(1);
            }
        } catch (IllegalAccessException | InvocationTargetException e) {
            e.printStackTrace();
            System.exit(1);
        }
        byte[] input = java.util.Base64.getDecoder().decode(base64Bytes);
        io.github.sparkgpusched.device.remote.FrameFuzz.fuzzerTestOneInput(input);
    }
}