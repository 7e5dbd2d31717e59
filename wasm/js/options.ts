/** Refuses options that do not exist: a misspelled limit would else be silently none. */

import { invalid } from "./errors.js";

/** All names of an interface; the compiler sees to it that none is missing. */
export type Names<T> = { readonly [Name in keyof Required<T>]: true };

/** @internal The options, once every name is known. */
export function optionsOf<T extends object>(given: T | undefined, names: Names<T>, what = "options"): Partial<T> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null) throw invalid(`${what} must be an object`);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(names, name)) throw invalid(`${what} have no ${name}`);
  }
  return given;
}
