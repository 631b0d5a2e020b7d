import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { invalidSchema, isKnownKeyword } from './schema-keyword-forms.js';
import type { Place, SchemaReferences } from './schema-references.js';

const MAX_NAME = 50;

interface Moved {
  readonly name: string;
  readonly schema: JsonObject | boolean;
  /** The pointer to the schema in the server's original. */
  readonly from: string;
}

/**
 * Schemas that are referenced but not held by any schema keyword, such as `#/components/schemas/Issue` of OpenAPI. They
 * are moved to `$defs`, where every reader finds them.
 */
export class MovedSchemas {
  /** By the schema: each is moved once, however many references it has, including its own. */
  readonly #moved = new Map<Json, Moved>();
  readonly #names: Set<string>;
  #number = 1;

  constructor(
    root: JsonObject,
    private readonly references: Pick<SchemaReferences, 'add'>,
  ) {
    this.#names = new Set(Object.keys(isJsonObject(root['$defs']) ? root['$defs'] : {}));
  }

  /** Returns the reference to a moved schema. */
  referenceTo(schema: Json): string | undefined {
    const name = this.#moved.get(schema)?.name;
    return name === undefined ? undefined : `#/$defs/${name}`;
  }

  /**
   * Moves a schema.
   *
   * @returns the reference to it
   * @throws {Error} if it is not a schema
   */
  add(schema: Json, { base, pointer }: Place): string {
    if (!isJsonObject(schema) && typeof schema !== 'boolean') throw invalidSchema(pointer, 'a schema');
    const known = this.referenceTo(schema);
    if (known !== undefined) return known;
    const name = this.#nameFor(pointer);
    this.#moved.set(schema, { name, schema, from: pointer });
    if (isJsonObject(schema)) this.references.add(schema, { base, pointer: `/$defs/${name}` });
    return `#/$defs/${name}`;
  }

  /**
   * Returns a schema with the moved ones, without the unknown top-level keywords that held them.
   *
   * @param read converts a moved schema, which may move more schemas
   */
  addedTo(schema: JsonObject, read: (given: JsonObject, at: string) => JsonObject): JsonObject {
    if (this.#moved.size === 0) return schema;
    const added: JsonObject = {};
    const emptied = new Set<string>();
    // The iteration includes schemas that are added during it.
    for (const { name, schema: given, from } of this.#moved.values()) {
      added[name] = isJsonObject(given) ? read(given, from) : given;
      const [, keyword = ''] = from.split('/', 2);
      if (!isKnownKeyword(keyword)) emptied.add(keyword);
    }
    const others = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !emptied.has(keyword)));
    const { $defs } = schema;
    return { ...others, $defs: { ...(isJsonObject($defs) ? $defs : {}), ...added } };
  }

  #nameFor(pointer: string): string {
    // "-" and not "_", so that no name has a special meaning in JavaScript.
    const own = pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll(/[^A-Za-z0-9_.-]/g, '-')
      .slice(0, MAX_NAME);
    let name = own === '' ? 'schema' : own;
    while (this.#names.has(name)) name = `${own}-${(this.#number += 1)}`;
    this.#names.add(name);
    return name;
  }
}
