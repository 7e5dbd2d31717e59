/** Written by the build: the module's bytes. */
export declare const base64: string;
