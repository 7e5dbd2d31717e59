/** The version of the package, which a test holds against that of the library. */
export const version = "0.1.0";
