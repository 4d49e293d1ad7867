package io.github.sparkgpusched.it.load;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;

/** Authenticates by asking: the user is who the header {@code user} says. */
public final class UserHeader implements Filter {
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    chain.doFilter(
        new HttpServletRequestWrapper(http) {
          @Override
          public String getRemoteUser() {
            return http.getHeader("user");
          }
        },
        response);
  }
}
