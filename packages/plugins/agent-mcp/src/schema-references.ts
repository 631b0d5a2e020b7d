import type { Json, JsonObject } from '@countersign/core/plugin';
import { escapePointer, isJsonObject, schemaKeywordKind, valueAtPointer } from '@countersign/model';

/** What references are resolved against where the schema has no `$id` (RFC 3986, 5.1.4). */
const NO_BASE = 'tool:/schema';
/** Of a reference or an id, in characters: each is resolved against the one around it. */
const MAX_REFERENCE = 2_000;

/** Where a part of a schema is. */
export interface Place {
  /** URI of the schema resource that it belongs to, without a fragment. */
  readonly base: string;
  /** From the root of all (RFC 6901). */
  readonly pointer: string;
}

/**
 * What the references of a schema lead to: JSON pointers, also percent-encoded as in a URI fragment (RFC 6901, 6), anchors and
 * ids (JSON Schema 2020-12, 8.2). They stay within the schema: none is ever fetched.
 */
export class SchemaReferences {
  readonly #places = new Map<JsonObject, Place>();
  /** By URI of the resource, and of the anchor. */
  readonly #targets = new Map<string, JsonObject>();

  constructor(root: JsonObject) {
    this.#targets.set(NO_BASE, root);
    this.#index(root, { base: NO_BASE, pointer: '' });
  }

  /** @param from the schema that has the reference. @throws {Error} where it leads to nothing here */
  resolve(reference: Json, from: JsonObject): Json {
    return this.locate(reference, from).target;
  }

  /** The same, with the place, whose pointer is decoded where it leads from the root of all. */
  locate(reference: Json, from: JsonObject): Place & { readonly target: Json } {
    if (typeof reference !== 'string') throw new Error('it has a reference that is no text');
    const { resource, fragment, given } = this.#split(reference, this.#places.get(from)?.base ?? NO_BASE);
    const root = this.#targets.get(resource);
    if (root === undefined) throw new Error('it refers to something outside of it');
    // Who does not encode it means what is written.
    for (const each of [fragment, given]) {
      const target = this.#find(root, resource, each);
      if (target !== undefined)
        return { target, base: resource, pointer: `${this.#places.get(root)?.pointer ?? ''}${each}` };
    }
    throw new Error('it refers to something that is not there');
  }

  #find(root: JsonObject, resource: string, fragment: string): Json | undefined {
    return fragment === '' || fragment.startsWith('/')
      ? valueAtPointer(root, fragment)
      : this.#targets.get(`${resource}#${fragment}`);
  }

  /** Takes in a schema that no keyword for schemas holds, under the place that it gets. */
  add(schema: JsonObject, place: Place): void {
    this.#index(schema, place);
  }

  /** The same as a reference from the root, as anybody reads it. */
  pointerOf(target: Json): string | undefined {
    const place = isJsonObject(target) ? this.#places.get(target) : undefined;
    return place === undefined ? undefined : `#${place.pointer}`;
  }

  /** @returns the fragment, decoded and as it was given */
  #split(reference: string, base: string): Record<'resource' | 'fragment' | 'given', string> {
    if (reference.length > MAX_REFERENCE)
      throw new Error(`it has a reference or an id of more than ${MAX_REFERENCE} characters`);
    const [, given = ''] = /#(.*)$/s.exec(reference) ?? [];
    try {
      const url = new URL(reference, base);
      url.hash = '';
      return { resource: url.href, fragment: decoded(given), given };
    } catch {
      throw new Error('it has a reference that can’t be read');
    }
  }

  #index(schema: Json, { base, pointer }: Place): void {
    // What was taken in before keeps its place.
    if (!isJsonObject(schema) || this.#places.has(schema)) return;
    const own = this.#identify(schema, base);
    this.#places.set(schema, { base: own, pointer });
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${pointer}/${part(keyword)}`;
      const kind = schemaKeywordKind(keyword, value);
      if (kind === 'schema') this.#index(value, { base: own, pointer: at });
      else if (kind === 'schemas' && Array.isArray(value))
        for (const [index, item] of value.entries()) this.#index(item, { base: own, pointer: `${at}/${index}` });
      else if (kind === 'named' && isJsonObject(value))
        for (const [name, item] of Object.entries(value))
          this.#index(item, { base: own, pointer: `${at}/${part(name)}` });
    }
  }

  /** @returns the base of what is below */
  #identify(schema: JsonObject, base: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let own = base;
    if (typeof $id === 'string') {
      const { resource, fragment } = this.#split($id, base);
      // In drafts before 2019-09 an id that is a fragment is an anchor.
      if (fragment !== '') this.#name(`${resource}#${fragment}`, schema);
      else this.#name((own = resource), schema);
    }
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') this.#name(`${own}#${anchor}`, schema);
    return own;
  }

  /** The first one counts: what it means must not depend on what comes behind. */
  #name(uri: string, schema: JsonObject): void {
    if (!this.#targets.has(uri)) this.#targets.set(uri, schema);
  }
}

/** Of a pointer in the fragment of a URI (RFC 6901, 6), which "$" may stand in. */
function part(name: string): string {
  return encodeURIComponent(escapePointer(name)).replaceAll('%24', '$');
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
