import type { Json } from '@countersign/core/plugin';
import { canonicalJson, escapePointer, unescapePointer } from '@countersign/model';
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';

/**
 * Thrown when data that a policy reads cannot be represented exactly, so the policy cannot decide. The message
 * completes a sentence.
 */
export class UndecidableError extends Error {}

const MAX_VALUES = 2_000;
const MAX_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 32;
/** Largest whole number in the range of Cedar's decimals (64 bits, four decimal places). */
const MAX_DECIMAL = 922_337_203_685_477;

type Tags = Record<string, CedarValueJson>;

/**
 * Converts JSON to tags: a value for each path. The conversion is exact: numbers are never rounded, strings never cut,
 * and a name in the data cannot be mistaken for a path or an entity.
 *
 * @param paths in RFC 6901 form, without the first slash; `all` for every value, within limits
 * @param attributeNames fields of a value that any policy reads
 * @throws {UndecidableError} if the data cannot be represented exactly
 */
export function buildTags(
  dataName: string,
  data: Readonly<Record<string, Json>>,
  paths: ReadonlySet<string> | 'all',
  attributeNames: ReadonlySet<string>,
): Tags {
  const writer = new TagWriter(dataName, attributeNames);
  if (paths === 'all') writer.writeAll(data, null, 0);
  else for (const path of paths) writer.writePath(data, path);
  return writer.tags;
}

class TagWriter {
  /** Without a prototype, so that `__proto__` is an ordinary name. */
  readonly tags: Tags = Object.create(null) as Tags;
  #valueCount = 0;
  #characters = 0;

  constructor(
    readonly dataName: string,
    readonly attributeNames: ReadonlySet<string>,
  ) {}

  writePath(data: Readonly<Record<string, Json>>, path: string): void {
    let value: Json | undefined = data as Json;
    for (const segment of path.split('/')) value = getChild(value, unescapePointer(segment));
    if (value !== undefined) this.#write(path, value);
  }

  /**
   * Writes a value and all values in it. The data itself has no path (`null`), because the empty path is that of a
   * value with an empty name.
   */
  writeAll(value: Json | Readonly<Record<string, Json>>, path: string | null, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new UndecidableError(`the ${this.dataName} are nested more than ${MAX_DEPTH} levels deep`);
    if (path !== null) this.#write(path, value as Json);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value) as [string, Json][]) {
      const segment = escapePointer(name);
      this.writeAll(child, path === null ? segment : `${path}/${segment}`, depth + 1);
    }
  }

  #write(path: string, value: Json): void {
    this.#valueCount += 1;
    if (this.#valueCount > MAX_VALUES)
      throw new UndecidableError(`the ${this.dataName} have more than ${MAX_VALUES} values`);
    const attributes: Record<string, CedarValueJson> = {};
    if (this.attributeNames.has('kind')) attributes['kind'] = jsonKind(value);
    if (this.attributeNames.has('text')) attributes['text'] = this.#text(path, value);
    if (this.attributeNames.has('texts')) attributes['texts'] = this.#texts(path, value);
    if (this.attributeNames.has('number') && typeof value === 'number')
      attributes['number'] = { __extn: { fn: 'decimal', arg: this.#decimal(path, value) } };
    this.tags[path] = attributes;
  }

  #texts(path: string, value: Json): string[] {
    if (Array.isArray(value)) return value.map((item: Json) => this.#text(path, item));
    return typeof value === 'object' && value !== null ? [] : [this.#text(path, value)];
  }

  #text(path: string, value: Json): string {
    const text = typeof value === 'string' ? value : canonicalJson(value);
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS)
      throw new UndecidableError(
        `the ${this.dataName} have more than ${MAX_CHARACTERS} characters of text that policies read`,
      );
    if (!text.isWellFormed())
      throw new UndecidableError(`"${path}" of the ${this.dataName} is not well-formed Unicode text`);
    return text;
  }

  #decimal(path: string, value: number): string {
    const [, whole, fraction = '0'] =
      /^(-?\d+)(?:\.(\d{1,4}))?$/.exec(Object.is(value, -0) ? '0' : String(value)) ?? [];
    if (whole === undefined || Math.abs(value) > MAX_DECIMAL) {
      throw new UndecidableError(
        `"${path}" of the ${this.dataName} is the number ${value}, which has more than four decimals or is too large to compare`,
      );
    }
    return `${whole}.${fraction}`;
  }
}

function getChild(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d{0,9})$/.test(name) ? (value[Number(name)] as Json | undefined) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, Json>>)[name] : undefined;
}

function jsonKind(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
