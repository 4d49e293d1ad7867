/** The executor's own cores as devices. */
package io.github.sparkgpusched.device.host;
