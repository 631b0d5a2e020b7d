import { InexactNumberError, parseExactJson } from '@countersign/contract';

/** Inputs in an address for the form that starts a run. */
export type GivenInputs =
  { readonly inputs: unknown } | { readonly fault: 'notAnObject' | 'inexact' } | Readonly<Record<string, never>>;

/** Maximum length of the parameter. */
const LONGEST = 20_000;

/**
 * Parses the inputs in an address: a JSON object. The author of the link is not trusted: the inputs only fill in the
 * form.
 */
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
