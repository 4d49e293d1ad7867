// libcudf.so, which cuDF's Java classes load before libcudfjni.so: nothing is in it. See README.md.
