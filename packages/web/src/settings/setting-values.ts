import { InexactNumberError, type JsonValue, numberFault, parseExactJson, type Setting } from '@countersign/contract';

/** Kind of an input error; the messages are in the texts. */
export type InputFault = 'notANumber' | 'notAWhole' | 'notExact' | 'notADuration' | 'notJson' | 'inexactJson';

type Read = { readonly value: JsonValue } | { readonly fault: InputFault };

/** ISO 8601, in the form that the configuration accepts. */
const DURATION = /^P(?=.)(\d+(\.\d+)?D)?(T(?=.)(\d+(\.\d+)?H)?(\d+(\.\d+)?M)?(\d+(\.\d+)?S)?)?$/;

/** Returns the input text of a setting: a list of strings line by line, structured values as JSON. */
export function inputOf({ type, value }: Pick<Setting, 'type' | 'value'>): string {
  if (value === null) return '';
  if (type === 'list' && isTextList(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Returns whether a list is edited line by line, as an empty one is too. */
export function isTextList(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Parses an input into the form that the API accepts; the server checks the rest. */
export function readInput({ type, value }: Pick<Setting, 'type' | 'value'>, typed: string): Read {
  const text = typed.trim();
  switch (type) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? readNumber(text) : { fault: 'notAWhole' };
    case 'number':
      return readNumber(text);
    case 'duration':
      return DURATION.test(text) ? { value: text } : { fault: 'notADuration' };
    case 'boolean':
      return { value: text === 'true' };
    case 'list':
      if (value === null || isTextList(value))
        return text.startsWith('[')
          ? readJson(text, Array.isArray)
          : {
              value: text
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== ''),
            };
      return readJson(text, Array.isArray);
    case 'object':
      return readJson(text, (read) => typeof read === 'object' && read !== null && !Array.isArray(read));
    case 'string':
      return { value: typed };
  }
}

function readNumber(text: string): Read {
  const fault = numberFault(text);
  if (fault === undefined) return { value: Number(text) };
  return { fault: fault === 'not_exact' ? 'notExact' : 'notANumber' };
}

function readJson(text: string, fits: (value: JsonValue) => boolean): Read {
  try {
    const value = parseExactJson(text) as JsonValue;
    return fits(value) ? { value } : { fault: 'notJson' };
  } catch (error) {
    return { fault: error instanceof InexactNumberError ? 'inexactJson' : 'notJson' };
  }
}

export interface Section {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** Groups the settings by the first part of their keys and keeps those that match a search. */
export function sectionsOf(settings: readonly Setting[], search: string, onlyChanged: boolean): readonly Section[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) {
    const text = `${setting.key}\n${setting.title}\n${setting.description ?? ''}`.toLowerCase();
    if (!words.every((word) => text.includes(word)) || (onlyChanged && setting.source === 'default')) continue;
    const name = setting.key.split(':')[0] ?? '';
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return [...sections].map(([name, all]) => ({ name, settings: all }));
}

/** Returns the errors of a save by setting key: `/values/Runs:StuckAfter`, `/secrets/…`. */
export function faultsByKey(
  errors: readonly { readonly pointer: string; readonly message: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    errors.map(({ pointer, message }) => [
      pointer
        .replace(/^\/(values|secrets)\//, '')
        .split('/')[0]
        ?.replaceAll('~1', '/')
        .replaceAll('~0', '~') ?? '',
      message,
    ]),
  );
}
