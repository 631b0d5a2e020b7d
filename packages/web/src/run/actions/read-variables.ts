import type { RecoverRunBody } from '@countersign/contract';
import { texts } from '../../texts/index.js';

type Variables = NonNullable<RecoverRunBody['variables']>;

/** Variables as somebody wrote them: JSON, an object. Nothing written is none. */
export function readVariables(text: string): { readonly variables?: Variables; readonly error?: string } {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { variables: value as Variables } : { error: texts.run.recover.notAnObject };
  } catch (error) {
    return { error: texts.run.recover.notJson(error instanceof Error ? error.message : String(error)) };
  }
}
