import type { RecoverRunBody } from '@countersign/contract';
import { parseJson } from '@countersign/inbox-ui/ui/parse-json';
import { texts } from '../../texts/index.js';

type Variables = NonNullable<RecoverRunBody['variables']>;

/** Parses the JSON object of variables that the user entered. Empty input means no variables. */
export function parseVariables(text: string): { readonly variables?: Variables; readonly error?: string } {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (parsed.error !== undefined) return { error: texts.run.recover.notJson(parsed.error) };
  const { value } = parsed;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { variables: value as Variables }
    : { error: texts.run.recover.notAnObject };
}
