import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class Crash_16ec46718a9193252a81aa92aa892e2382d92ad8 {
    static final String base64Bytes = String.join("", "ZG91YmxlZAAudmVyc2lvbiA5OTk5OTk5OTk5OS4xCiAuZW50cnkgZG91YmxlZF9jMSg=");

    public static void main(String[] args) throws Throwable {
        Crash_16ec46718a9193252a81aa92aa892e2382d92ad8.class.getClassLoader().setDefaultAssertionStatus(true);
        try {
            Method fuzzerInitialize = io.github.sparkgpusched.device.cuda.AuthorPtxFuzz.class.getMethod("fuzzerInitialize");
            fuzzerInitialize.invoke(null);
        } catch (NoSuchMethodException ignored) {
            try {
                Method fuzzerInitialize = io.github.sparkgpusched.device.cuda.AuthorPtxFuzz.class.getMethod("fuzzerInitialize", String[].class);
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
        io.github.sparkgpusched.device.cuda.AuthorPtxFuzz.fuzzerTestOneInput(input);
    }
}