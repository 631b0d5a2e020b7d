import { InexactNumberError, parseExactJson } from '@countersign/contract';

/**
 * Inputs in a URL that prefill the form to start a run, or the reason why they are invalid; empty if there are none.
 */
export type LinkInputs =
  | { readonly inputs: unknown }
  | { readonly error: 'notAnObject' | 'inexact' | 'tooLong' }
  | Readonly<Record<string, never>>;

/** Maximum length of the parameter. */
const MAX_PARAMETER_LENGTH = 20_000;

/**
 * Parses the inputs in a URL, which must be a JSON object. The author of the link is not trusted, so the inputs only
 * prefill the form.
 */
export function parseLinkInputs(parameter: string | undefined): LinkInputs {
  if (parameter === undefined) return {};
  if (parameter.length > MAX_PARAMETER_LENGTH) return { error: 'tooLong' };
  try {
    const inputs = parseExactJson(parameter);
    return typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs)
      ? { inputs }
      : { error: 'notAnObject' };
  } catch (error) {
    return { error: error instanceof InexactNumberError ? 'inexact' : 'notAnObject' };
  }
}
