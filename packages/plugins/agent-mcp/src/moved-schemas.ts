import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { createInvalidSchemaError, isKnownKeyword } from './schema-keyword-forms.js';
import type { SchemaLocation, SchemaReferences } from './schema-references.js';

const MAX_NAME_LENGTH = 50;

interface MovedSchema {
  readonly name: string;
  readonly schema: JsonObject | boolean;
  /** The pointer to the schema in the server's original schema. */
  readonly originalPointer: string;
}

/**
 * Schemas that are referenced but not located under any schema keyword, such as `#/components/schemas/Issue` of
 * OpenAPI. They are moved to `$defs`, where every reader finds them.
 */
export class MovedSchemas {
  /**
   * Moved schemas by their original: each is moved once, however many references it has, including references to
   * itself.
   */
  readonly #moved = new Map<Json, MovedSchema>();
  readonly #names: Set<string>;
  #lastSuffix = 1;

  constructor(
    root: JsonObject,
    private readonly references: Pick<SchemaReferences, 'add'>,
  ) {
    this.#names = new Set(Object.keys(isJsonObject(root['$defs']) ? root['$defs'] : {}));
  }

  /** Returns the reference to a moved schema; `undefined` if the schema was not moved. */
  findReference(schema: Json): string | undefined {
    const name = this.#moved.get(schema)?.name;
    return name === undefined ? undefined : `#/$defs/${name}`;
  }

  /**
   * Moves a schema.
   *
   * @returns the reference to it
   * @throws {Error} if it is not a schema
   */
  add(schema: Json, { base, pointer }: SchemaLocation): string {
    if (!isJsonObject(schema) && typeof schema !== 'boolean') throw createInvalidSchemaError(pointer, 'a schema');
    const existing = this.findReference(schema);
    if (existing !== undefined) return existing;
    const name = this.#createName(pointer);
    this.#moved.set(schema, { name, schema, originalPointer: pointer });
    if (isJsonObject(schema)) this.references.add(schema, { base, pointer: `/$defs/${name}` });
    return `#/$defs/${name}`;
  }

  /**
   * Returns a schema with the moved schemas in `$defs`, without the unknown top-level keywords that contained them.
   *
   * @param convert converts a moved schema, which may move more schemas
   */
  addDefinitions(schema: JsonObject, convert: (movedSchema: JsonObject, pointer: string) => JsonObject): JsonObject {
    if (this.#moved.size === 0) return schema;
    const definitions: JsonObject = {};
    const movedKeywords = new Set<string>();
    // The iteration includes schemas that are added during it.
    for (const { name, schema: movedSchema, originalPointer } of this.#moved.values()) {
      definitions[name] = isJsonObject(movedSchema) ? convert(movedSchema, originalPointer) : movedSchema;
      const [, keyword = ''] = originalPointer.split('/', 2);
      if (!isKnownKeyword(keyword)) movedKeywords.add(keyword);
    }
    const others = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !movedKeywords.has(keyword)));
    const { $defs } = schema;
    return { ...others, $defs: { ...(isJsonObject($defs) ? $defs : {}), ...definitions } };
  }

  #createName(pointer: string): string {
    // "-" and not "_", so that no name has a special meaning in JavaScript.
    const baseName = pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll(/[^A-Za-z0-9_.-]/g, '-')
      .slice(0, MAX_NAME_LENGTH);
    let name = baseName === '' ? 'schema' : baseName;
    while (this.#names.has(name)) name = `${baseName}-${(this.#lastSuffix += 1)}`;
    this.#names.add(name);
    return name;
  }
}
