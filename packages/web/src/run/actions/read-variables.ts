import type { RecoverRunBody } from '@countersign/contract';
import { readJson } from '@countersign/inbox-ui/ui/read-json';
import { texts } from '../../texts/index.js';

type Variables = NonNullable<RecoverRunBody['variables']>;

/** Parses variables that the user entered: a JSON object. Empty input means no variables. */
export function readVariables(text: string): { readonly variables?: Variables; readonly error?: string } {
  if (text.trim() === '') return {};
  const read = readJson(text);
  if (read.fault !== undefined) return { error: texts.run.recover.notJson(read.fault) };
  const { value } = read;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { variables: value as Variables }
    : { error: texts.run.recover.notAnObject };
}
