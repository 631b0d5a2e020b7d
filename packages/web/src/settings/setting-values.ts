import {
  InexactNumberError,
  type JsonValue,
  findNumberError,
  parseExactJson,
  type Setting,
} from '@countersign/contract';

/** Kind of an input error, which is also the key of its message in `texts.settings`. */
export type InputErrorKind = 'notANumber' | 'notAnInteger' | 'notExact' | 'notADuration' | 'notJson' | 'inexactJson';

type ParsedInput = { readonly value: JsonValue } | { readonly error: InputErrorKind };

/** ISO 8601 durations that the configuration accepts. */
const DURATION_PATTERN = /^P(?=.)(\d+(\.\d+)?D)?(T(?=.)(\d+(\.\d+)?H)?(\d+(\.\d+)?M)?(\d+(\.\d+)?S)?)?$/;

/** Returns the input text of a setting: a list of strings line by line, structured values as JSON. */
export function toInputText({ type, value }: Pick<Setting, 'type' | 'value'>): string {
  if (value === null) return '';
  if (type === 'list' && isStringList(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Returns whether a value is a list of strings (also an empty list), which is edited line by line. */
export function isStringList(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Parses an input into the form that the API accepts; the server checks the rest. */
export function parseInput({ type, value }: Pick<Setting, 'type' | 'value'>, inputText: string): ParsedInput {
  const text = inputText.trim();
  switch (type) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? parseNumberInput(text) : { error: 'notAnInteger' };
    case 'number':
      return parseNumberInput(text);
    case 'duration':
      return DURATION_PATTERN.test(text) ? { value: text } : { error: 'notADuration' };
    case 'boolean':
      return { value: text === 'true' };
    case 'list':
      if (value === null || isStringList(value))
        return text.startsWith('[')
          ? parseJsonInput(text, Array.isArray)
          : {
              value: text
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== ''),
            };
      return parseJsonInput(text, Array.isArray);
    case 'object':
      return parseJsonInput(text, (parsed) => typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed));
    case 'string':
      return { value: inputText };
  }
}

function parseNumberInput(text: string): ParsedInput {
  const errorKind = findNumberError(text);
  if (errorKind === undefined) return { value: Number(text) };
  return { error: errorKind === 'not_exact' ? 'notExact' : 'notANumber' };
}

function parseJsonInput(text: string, isValid: (value: JsonValue) => boolean): ParsedInput {
  try {
    const value = parseExactJson(text) as JsonValue;
    return isValid(value) ? { value } : { error: 'notJson' };
  } catch (error) {
    return { error: error instanceof InexactNumberError ? 'inexactJson' : 'notJson' };
  }
}

export interface Section {
  readonly name: string;
  readonly settings: readonly Setting[];
}

/** Groups the settings by the first part of their keys and keeps those that match a search. */
export function buildSections(settings: readonly Setting[], search: string, onlyChanged: boolean): readonly Section[] {
  const searchWords = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) {
    const text = `${setting.key}\n${setting.title}\n${setting.description ?? ''}`.toLowerCase();
    if (!searchWords.every((word) => text.includes(word)) || (onlyChanged && setting.source === 'default')) continue;
    const name = setting.key.split(':')[0] ?? '';
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return [...sections].map(([name, sectionSettings]) => ({ name, settings: sectionSettings }));
}

/** Returns error messages by setting key. Pointers have the form `/values/Runs:StuckAfter` or `/secrets/…`. */
export function getErrorsByKey(
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
