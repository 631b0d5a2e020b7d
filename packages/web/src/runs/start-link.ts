import { InexactNumberError, parseExactJson } from '@countersign/contract';

/** Inputs that an address gives to the form that starts a run. */
export type GivenInputs =
  { readonly inputs: unknown } | { readonly fault: 'notAnObject' | 'inexact' } | Readonly<Record<string, never>>;

/** Length of the parameter. */
const LONGEST = 20_000;

/** Reads the inputs out of an address: a JSON object. Whoever made the link is not trusted: it only fills in the form. */
export function inputsOf(parameter: string | undefined): GivenInputs {
  if (parameter === undefined) return {};
  try {
    const inputs = parseExactJson(parameter);
    return typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs) && parameter.length <= LONGEST
      ? { inputs }
      : { fault: 'notAnObject' };
  } catch (error) {
    return { fault: error instanceof InexactNumberError ? 'inexact' : 'notAnObject' };
  }
}
