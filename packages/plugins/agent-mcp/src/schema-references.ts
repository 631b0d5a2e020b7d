import type { Json, JsonObject } from '@countersign/core/plugin';
import { escapePointer, isJsonObject, getSchemaKeywordKind, getValueAtPointer } from '@countersign/model';

/** The base URI for references in a schema without `$id` (RFC 3986, 5.1.4). */
const DEFAULT_BASE = 'tool:/schema';
/** Maximum length of a reference or an id, in characters: nested ids are resolved against the enclosing id. */
const MAX_REFERENCE_LENGTH = 2_000;

/** The location of a part of a schema. */
export interface SchemaLocation {
  /** URI of the enclosing schema resource, without a fragment. */
  readonly base: string;
  /** JSON pointer from the outermost root (RFC 6901). */
  readonly pointer: string;
}

/**
 * Resolves the references of a schema: JSON pointers, including percent-encoded ones as in a URI fragment (RFC 6901,
 * 6), anchors and ids (JSON Schema 2020-12, 8.2). References stay within the schema: none is ever fetched.
 */
export class SchemaReferences {
  readonly #locations = new Map<JsonObject, SchemaLocation>();
  /** Targets by URI, either of a schema resource or of an anchor. */
  readonly #targets = new Map<string, JsonObject>();

  constructor(root: JsonObject) {
    this.#targets.set(DEFAULT_BASE, root);
    this.#index(root, { base: DEFAULT_BASE, pointer: '' });
  }

  /**
   * Returns the target of a reference.
   *
   * @param from the schema that contains the reference
   * @throws {Error} if the target does not exist in this schema
   */
  resolve(reference: Json, from: JsonObject): Json {
    return this.locate(reference, from).target;
  }

  /**
   * Returns the target of a reference with its location. The pointer is not percent-encoded if the reference is
   * resolved against the outermost root.
   */
  locate(reference: Json, from: JsonObject): SchemaLocation & { readonly target: Json } {
    if (typeof reference !== 'string') throw new Error('it has a reference that is not a string');
    const { resource, fragment, rawFragment } = this.#split(reference, this.#locations.get(from)?.base ?? DEFAULT_BASE);
    const root = this.#targets.get(resource);
    if (root === undefined) throw new Error('it has a reference to another document');
    // Some servers do not percent-encode their references, so the raw fragment is tried as well.
    for (const each of [fragment, rawFragment]) {
      const target = this.#find(root, resource, each);
      if (target !== undefined)
        return { target, base: resource, pointer: `${this.#locations.get(root)?.pointer ?? ''}${each}` };
    }
    throw new Error('it has a reference to a target that does not exist');
  }

  #find(root: JsonObject, resource: string, fragment: string): Json | undefined {
    return fragment === '' || fragment.startsWith('/')
      ? getValueAtPointer(root, fragment)
      : this.#targets.get(`${resource}#${fragment}`);
  }

  /** Adds a schema that is not located under any schema keyword, under the given location. */
  add(schema: JsonObject, location: SchemaLocation): void {
    this.#index(schema, location);
  }

  /**
   * Returns a reference to a schema as a pointer from the root, which every implementation of JSON Schema can resolve;
   * `undefined` if it is not indexed.
   */
  findPointer(target: Json): string | undefined {
    const location = isJsonObject(target) ? this.#locations.get(target) : undefined;
    return location === undefined ? undefined : `#${location.pointer}`;
  }

  /**
   * Splits a reference.
   *
   * @returns the URI of the resource, and the fragment both decoded and raw
   */
  #split(reference: string, base: string): Record<'resource' | 'fragment' | 'rawFragment', string> {
    if (reference.length > MAX_REFERENCE_LENGTH)
      throw new Error(`it has a reference or an id of more than ${MAX_REFERENCE_LENGTH} characters`);
    const [, rawFragment = ''] = /#(.*)$/s.exec(reference) ?? [];
    try {
      const url = new URL(reference, base);
      url.hash = '';
      return { resource: url.href, fragment: decodeFragment(rawFragment), rawFragment };
    } catch {
      throw new Error('it has a reference that cannot be parsed');
    }
  }

  #index(schema: Json, { base, pointer }: SchemaLocation): void {
    // A schema that is already indexed keeps its location.
    if (!isJsonObject(schema) || this.#locations.has(schema)) return;
    const ownBase = this.#registerIds(schema, base);
    this.#locations.set(schema, { base: ownBase, pointer });
    for (const [keyword, value] of Object.entries(schema)) {
      const childPointer = `${pointer}/${encodeSegment(keyword)}`;
      const kind = getSchemaKeywordKind(keyword, value);
      if (kind === 'schema') this.#index(value, { base: ownBase, pointer: childPointer });
      else if (kind === 'schemas' && Array.isArray(value))
        for (const [index, item] of value.entries())
          this.#index(item, { base: ownBase, pointer: `${childPointer}/${index}` });
      else if (kind === 'named' && isJsonObject(value))
        for (const [key, item] of Object.entries(value))
          this.#index(item, { base: ownBase, pointer: `${childPointer}/${encodeSegment(key)}` });
    }
  }

  /**
   * Registers the ids and anchors of a schema.
   *
   * @returns the base URI for nested schemas
   */
  #registerIds(schema: JsonObject, base: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let ownBase = base;
    if (typeof $id === 'string') {
      const { resource, fragment } = this.#split($id, base);
      // In drafts before 2019-09, an id that is a fragment is an anchor.
      if (fragment !== '') this.#registerTarget(`${resource}#${fragment}`, schema);
      else this.#registerTarget((ownBase = resource), schema);
    }
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') this.#registerTarget(`${ownBase}#${anchor}`, schema);
    return ownBase;
  }

  /**
   * Registers a target. If several targets have the same URI, the first one wins, so that later ones cannot change the
   * meaning of a reference.
   */
  #registerTarget(uri: string, schema: JsonObject): void {
    if (!this.#targets.has(uri)) this.#targets.set(uri, schema);
  }
}

/** Encodes a name as part of a pointer in a URI fragment (RFC 6901, 6), which may contain "$". */
function encodeSegment(name: string): string {
  return encodeURIComponent(escapePointer(name)).replaceAll('%24', '$');
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
