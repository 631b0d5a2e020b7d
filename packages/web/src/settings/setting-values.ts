import { InexactNumberError, type JsonValue, numberFault, parseExactJson, type Setting } from '@countersign/contract';

/** What is wrong with what was typed; the words are in the texts. */
export type InputFault = 'notANumber' | 'notAWhole' | 'notExact' | 'notADuration' | 'notJson' | 'inexactJson';

type Read = { readonly value: JsonValue } | { readonly fault: InputFault };

/** ISO 8601, as the configuration takes it. */
const DURATION = /^P(?=.)(\d+(\.\d+)?D)?(T(?=.)(\d+(\.\d+)?H)?(\d+(\.\d+)?M)?(\d+(\.\d+)?S)?)?$/;

/** How a setting is typed: a list of texts line by line, what has parts as JSON. */
export function inputOf({ type, value }: Pick<Setting, 'type' | 'value'>): string {
  if (value === null) return '';
  if (type === 'list' && isTextList(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Whether a list is typed line by line. An empty one is, as nothing says otherwise. */
export function isTextList(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** What was typed, as the server takes it; it judges the rest. */
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

/** The catalogue by the first part of its keys, and what fits a search. */
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

/** The settings that an error of a save is about, by their keys: `/values/Runs:StuckAfter`, `/secrets/…`. */
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
