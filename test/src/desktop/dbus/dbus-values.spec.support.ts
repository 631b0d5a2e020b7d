/**
 * A D-Bus value: structs and arrays as arrays, dictionaries as objects, variants as their values, byte arrays as
 * buffers.
 */
export type DbusValue =
  string | number | boolean | Buffer | readonly DbusValue[] | { readonly [key: string]: DbusValue };

/** A value with an explicit type, for writing a variant. */
export interface DbusVariant {
  readonly type: string;
  readonly value: unknown;
}

/** Splits a signature into its complete types (D-Bus Specification, Type System). */
export function splitTypes(signature: string): string[] {
  const types: string[] = [];
  for (let typeStart = 0; typeStart < signature.length;) {
    const end = findTypeEnd(signature, typeStart);
    types.push(signature.slice(typeStart, end));
    typeStart = end;
  }
  return types;
}

function findTypeEnd(signature: string, start: number): number {
  const code = signature[start];
  if (code === 'a') return findTypeEnd(signature, start + 1);
  if (code !== '(' && code !== '{') return start + 1;
  let depth = 0;
  for (let position = start; position < signature.length; position += 1) {
    if ('({'.includes(signature[position] ?? '')) depth += 1;
    if (')}'.includes(signature[position] ?? '')) depth -= 1;
    if (depth === 0) return position + 1;
  }
  throw new Error(`Invalid signature: ${signature}`);
}

const ALIGNMENTS: Readonly<Record<string, number>> = {
  'y': 1,
  'g': 1,
  'v': 1,
  'n': 2,
  'q': 2,
  'x': 8,
  't': 8,
  'd': 8,
  '(': 8,
  '{': 8,
};

function toAlignment(type: string): number {
  return ALIGNMENTS[type[0] ?? ''] ?? 4;
}

/** Writer of consecutive values in little-endian byte order. */
export class DbusWriter {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes);
  }

  align(alignment: number): void {
    while (this.bytes.length % alignment !== 0) this.bytes.push(0);
  }

  putAll(signature: string, values: readonly unknown[]): this {
    splitTypes(signature).forEach((type, index) => this.put(type, values[index]));
    return this;
  }

  put(type: string, value: unknown): void {
    this.align(toAlignment(type));
    const inner = type.slice(1, -1);
    switch (type[0]) {
      case 'y':
        this.bytes.push(value as number);
        return;
      case 'b':
        return this.number(value === true ? 1 : 0);
      case 'i':
      case 'u':
        return this.number(value as number);
      case 's':
      case 'o':
        return this.text(value as string, false);
      case 'g':
        return this.text(value as string, true);
      case 'v': {
        const variant = value as DbusVariant;
        this.put('g', variant.type);
        return this.put(variant.type, variant.value);
      }
      case '(':
        return void this.putAll(inner, value as readonly unknown[]);
      case 'a':
        return this.array(
          type.slice(1),
          type[1] === '{' ? Object.entries(value as object) : (value as readonly unknown[]),
        );
      case '{':
        return void this.putAll(inner, value as readonly unknown[]);
      default:
        throw new Error(`Unsupported type: ${type}`);
    }
  }

  private array(type: string, values: readonly unknown[]): void {
    const lengthPosition = this.bytes.length;
    this.number(0);
    this.align(toAlignment(type));
    const start = this.bytes.length;
    for (const value of values) this.put(type, value);
    this.bytes.splice(lengthPosition, 4, ...uint32Bytes(this.bytes.length - start));
  }

  private text(value: string, hasOneByteLength: boolean): void {
    const bytes = Buffer.from(value);
    this.bytes.push(...(hasOneByteLength ? [bytes.length] : uint32Bytes(bytes.length)), ...bytes, 0);
  }

  private number(value: number): void {
    this.bytes.push(...uint32Bytes(value));
  }
}

function uint32Bytes(value: number): number[] {
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
}

/** Reader of consecutive values in little-endian byte order. */
export class DbusReader {
  constructor(
    private readonly bytes: Buffer,
    private position = 0,
  ) {}

  getAll(signature: string): DbusValue[] {
    return splitTypes(signature).map((type) => this.get(type));
  }

  align(alignment: number): number {
    return (this.position = Math.ceil(this.position / alignment) * alignment);
  }

  get(type: string): DbusValue {
    this.align(toAlignment(type));
    switch (type[0]) {
      case 'y':
        return this.bytes.readUInt8((this.position += 1) - 1);
      case 'b':
        return this.bytes.readUInt32LE((this.position += 4) - 4) === 1;
      case 'n':
      case 'q':
        return this.bytes.readUInt16LE((this.position += 2) - 2);
      case 'i':
        return this.bytes.readInt32LE((this.position += 4) - 4);
      case 'u':
        return this.bytes.readUInt32LE((this.position += 4) - 4);
      case 'x':
      case 't':
        return Number(this.bytes.readBigInt64LE((this.position += 8) - 8));
      case 'd':
        return this.bytes.readDoubleLE((this.position += 8) - 8);
      case 's':
      case 'o':
        return this.text(this.get('u') as number);
      case 'g':
        return this.text(this.get('y') as number);
      case 'v':
        return this.get(this.get('g') as string);
      case '(':
      case '{':
        return this.getAll(type.slice(1, -1));
      default:
        return this.array(type.slice(1));
    }
  }

  private text(length: number): string {
    const text = this.bytes.toString('utf8', this.position, this.position + length);
    this.position += length + 1;
    return text;
  }

  private array(type: string): DbusValue {
    const length = this.get('u') as number;
    const start = this.align(toAlignment(type));
    const end = start + length;
    if (type === 'y') {
      this.position = end;
      return this.bytes.subarray(start, end);
    }
    const values: DbusValue[] = [];
    while (this.position < end) values.push(this.get(type));
    return type[0] === '{' ? Object.fromEntries(values as [string, DbusValue][]) : values;
  }
}
