import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { invalidSchema, isKnownKeyword } from './schema-keyword-forms.js';
import type { Place, SchemaReferences } from './schema-references.js';

const MAX_NAME = 50;

interface Moved {
  readonly name: string;
  readonly schema: JsonObject | boolean;
  /** Where its server has it. */
  readonly from: string;
}

/**
 * Schemas that references lead to, though no keyword for schemas holds them, such as `#/components/schemas/Issue` of OpenAPI.
 * They get a place in `$defs`, where everybody finds them.
 */
export class MovedSchemas {
  /** By the schema: each is moved once, however many references lead to it, itself included. */
  readonly #moved = new Map<Json, Moved>();
  readonly #names: Set<string>;
  #number = 1;

  constructor(
    root: JsonObject,
    private readonly references: Pick<SchemaReferences, 'add'>,
  ) {
    this.#names = new Set(Object.keys(isJsonObject(root['$defs']) ? root['$defs'] : {}));
  }

  /** The reference to a schema that was moved. */
  referenceTo(schema: Json): string | undefined {
    const name = this.#moved.get(schema)?.name;
    return name === undefined ? undefined : `#/$defs/${name}`;
  }

  /** @returns the reference to it. @throws {Error} where it is no schema */
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
   * A schema with those that were moved, instead of the unknown keywords at its top that held them.
   *
   * @param read makes one of them what it is shown as, by which more may be moved
   */
  addedTo(schema: JsonObject, read: (given: JsonObject, at: string) => JsonObject): JsonObject {
    if (this.#moved.size === 0) return schema;
    const added: JsonObject = {};
    const emptied = new Set<string>();
    // It also takes those that are added meanwhile.
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
    // "-" and not "_", of which no name can be made that JavaScript has a meaning for.
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
