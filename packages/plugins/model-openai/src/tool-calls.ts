import { createHash } from 'node:crypto';
import {
  type JsonObject,
  modelArguments,
  ModelError,
  type ModelToolCall,
  modelToolName,
} from '@countersign/core/plugin';
import { canonicalJson, endOfJson, isJsonObject } from '@countersign/model';

/** Members in which servers send signatures, on the call or on its function. */
const SIGNED = ['extra_content', 'thought_signature', 'provider_specific_fields'] as const;
type Signed = Readonly<Partial<Record<(typeof SIGNED)[number], unknown>>>;

/** Members in which servers send arguments, on the function or next to it. */
const PLACES = ['arguments', 'parameters', 'input', 'args'] as const;
type Arguments = Readonly<Partial<Record<(typeof PLACES)[number], unknown>>>;

/** A part of a call in the form that servers actually send: index and id may be missing or wrong. */
interface CallPart extends Arguments, Signed {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: Arguments & Signed & { readonly name?: unknown };
}

/** A call with the data that the server requires back (`Companions`). */
export type CompleteCall = ModelToolCall & { readonly companion?: JsonObject };

interface Open {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** Data that the server requires back, by member name. */
  extra: JsonObject;
  /** Whether the part may also belong to the neighbouring call, unless it has arguments. */
  isDoubtful: boolean;
}

const MAX_CALLS = 128;
/** Maximum white space after arguments, in characters. */
const MAX_SPACE = 100;
const MAX_READ = 50_000_000;
/** Maximum length of an id, in characters. */
const LONGEST_ID = 200;

/**
 * Assembles the calls of one response from the parts of a stream. Many servers send one index for all calls, no ids,
 * one id, or a new id with each part. Parts are then separated by name and by whether the arguments so far are
 * complete. If that is ambiguous, the response is malformed: a call that the model did not make is worse than no call.
 */
export class ToolCalls {
  private readonly open: Open[] = [];
  /** Characters parsed so far to detect complete calls. */
  private read = 0;

  constructor(private readonly idempotencyKey: string) {}

  /** Characters received so far. */
  get size(): number {
    return this.open.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  }

  /**
   * Adds a part of a call.
   *
   * @throws {ModelError} `model_answer_malformed`
   */
  add(sent: CallPart): void {
    if (typeof sent !== 'object' || sent === null) throw malformed('a tool call that is not an object');
    const part = readPart(sent);
    const before = this.before(part);
    const call = before !== undefined && this.continues(before, part) ? before : this.begin(part, before);
    if (call.id === '') call.id = part.id;
    if (call.name === '') call.name = part.name;
    call.arguments += part.given;
    call.extra = withMore(call.extra, part.extra);
  }

  /**
   * Returns the assembled calls.
   *
   * @throws {ModelError} `model_answer_malformed` for a call without a tool name, or for calls that cannot be separated
   */
  complete(): readonly CompleteCall[] {
    const ids = new Set<string>();
    // Some streams end with an empty part.
    const begun = this.open.filter(({ id, name, arguments: given }) => id !== '' || name !== '' || given.trim() !== '');
    refuseRepeated(begun);
    return begun.map(({ id, name, arguments: given, extra, isDoubtful }, position) => {
      if (name === '') throw malformed('a tool call without a name');
      if (isSeveral(given) || (isDoubtful && given.trim() === ''))
        throw malformed('tool calls that cannot be told apart');
      const unique = id !== '' && id.length <= LONGEST_ID && !ids.has(id) ? id : this.madeUpId(position);
      ids.add(unique);
      const companion = {
        ...extra,
        ...(id.length > LONGEST_ID ? { id } : {}),
      };
      return {
        id: unique,
        name: modelToolName(name),
        arguments: modelArguments(given),
        ...(Object.keys(companion).length === 0 ? {} : { companion }),
      };
    });
  }

  /** Returns the call that a part may continue: the one with its index, else with its id, else the last one. */
  private before({ index, id }: Part): Open | undefined {
    if (index !== undefined) return this.open.findLast((call) => call.index === index);
    return (id === '' ? undefined : this.open.findLast((call) => call.id === id)) ?? this.open.at(-1);
  }

  /**
   * Returns whether a part continues a call; otherwise it starts another one.
   *
   * @throws {ModelError} if that is ambiguous
   */
  private continues(call: Open, { index, id, name, given }: Part): boolean {
    if (name === '' && given.trim() === '') return true;
    const isSameId = id === '' || call.id === '' || id === call.id;
    // Each part of a call may have another id, but complete arguments are not continued.
    if (name === '' || call.name === '') return isSameId || !this.isWhole(call.arguments);
    const isBare = call.arguments.trim() === '';
    if (name !== call.name) {
      if (isSameId && isBare) throw malformed('a tool call with two names');
      return false;
    }
    // Without an index, another id means another call. With the same index and no arguments in either part, it is
    // ambiguous: unlike continued arguments, nothing shows that it is the same call, so the part starts a doubtful
    // call.
    if (!isSameId && isBare && (index === undefined || given.trim() === '')) return false;
    // This may be a second call, or the only part of the first call with its own id.
    if (!isSameId && isBare && this.isWhole(given)) throw malformed('tool calls that cannot be told apart');
    if (!this.isWhole(call.arguments)) return true;
    // The name may be repeated with each part.
    if (isSameId && given.trim() === '') return true;
    if (id !== '' && id === call.id && isRepeated(call.arguments, given)) throw malformed('the same tool call twice');
    return false;
  }

  /** Returns whether text is complete JSON. */
  private isWhole(text: string): boolean {
    if (!/[}\]"el\d]$/.test(text.slice(-MAX_SPACE).trimEnd())) return false;
    this.read += text.length;
    if (this.read > MAX_READ) throw malformed('tool calls in too many parts');
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  private begin({ index, name }: Part, before: Open | undefined): Open {
    if (this.open.length >= MAX_CALLS) throw malformed(`more than ${MAX_CALLS} tool calls`);
    const isDoubtful = before?.name === name;
    if (isDoubtful) before.isDoubtful = true;
    const call = { index, id: '', name: '', arguments: '', extra: {}, isDoubtful };
    this.open.push(call);
    return call;
  }

  /** Returns an id that is the same when the response is read again and differs between turns. */
  private madeUpId(position: number): string {
    return `call_${createHash('sha256').update(this.idempotencyKey).digest('hex').slice(0, 16)}_${position + 1}`;
  }
}

interface Part {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly given: string;
  readonly extra: JsonObject;
}

/** Returns whether arguments repeat others, or either of them is a placeholder. */
function isRepeated(one: string, other: string): boolean {
  return withoutSpace(one) === withoutSpace(other) || isEmpty(one) || isEmpty(other);
}

function isEmpty(given: string): boolean {
  return ['', '{}'].includes(withoutSpace(given));
}

/** Returns whether two texts are equal, as text or as JSON. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));
  } catch {
    return false;
  }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/**
 * Refuses calls that may be parts of one call. Some servers send a new index with each part. The first part, with only
 * the name, would then become a call without arguments, in addition to the real call. Such calls with the same name are
 * only separated by their ids.
 *
 * @throws {ModelError} `model_answer_malformed`
 */
function refuseRepeated(calls: readonly Open[]): void {
  const byName = new Map<string, Open[]>();
  for (const call of calls) byName.set(call.name, [...(byName.get(call.name) ?? []), call]);
  for (const same of byName.values()) {
    const bare = same.filter(({ arguments: given }) => isEmpty(given));
    for (const call of bare)
      if (same.some((other) => other !== call && isMaybeSame(call, other)))
        throw malformed('tool calls that cannot be told apart');
  }
}

/** Returns whether two calls with the same name, the first without arguments, may be one call judging by their ids. */
function isMaybeSame({ id, index, arguments: given }: Open, other: Open): boolean {
  // With the same id, an empty object is a placeholder; without ids, it is as valid as any arguments.
  if (given.trim() !== '') return id !== '' && id === other.id;
  // Servers without ids may make equal calls.
  if (id === '' && other.id === '' && index !== other.index && isEmpty(other.arguments)) return false;
  return id === '' || other.id === '' || id === other.id;
}

function readPart(part: CallPart): Part {
  const { index, id, function: called } = part;
  const ofFunction = signaturesOf(called);
  return {
    index: indexOf(index),
    id: typeof id === 'string' ? id : '',
    name: typeof called?.name === 'string' ? called.name : '',
    given: argumentsOf(part),
    extra: {
      ...signaturesOf(part),
      ...(Object.keys(ofFunction).length === 0 ? {} : { function: ofFunction }),
    },
  };
}

function signaturesOf(holder: Signed | null | undefined): JsonObject {
  const given = SIGNED.map((name) => [name, holder?.[name]] as const);
  return Object.fromEntries(
    given.filter(([, value]) => isJsonObject(value) || (typeof value === 'string' && value !== '')),
  ) as JsonObject;
}

/** Merges the data of later parts of a call into that of earlier parts. */
function withMore(before: JsonObject, more: JsonObject): JsonObject {
  const added = Object.entries(more).map(([name, value]) => {
    const known = before[name];
    return [name, isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value];
  });
  return { ...before, ...(Object.fromEntries(added) as JsonObject) };
}

function indexOf(given: unknown): number | undefined {
  const index = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

/**
 * Returns the arguments of a part as text.
 *
 * @throws {ModelError} if they are sent in several members and differ
 */
function argumentsOf(part: CallPart): string {
  const given = [part.function, part].flatMap((holder) => PLACES.map((place) => argumentsText(holder?.[place])));
  const all = given.filter((each) => each !== '');
  const [first, ...others] = all.filter((each) => !isEmpty(each));
  if (first === undefined) return all[0] ?? '';
  if (others.some((other) => !isSame(first, other))) throw malformed('a tool call with arguments in several places');
  return first;
}

function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  // Some servers send arguments as parsed JSON.
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/** Returns whether text contains one JSON object followed by another. */
function isSeveral(text: string): boolean {
  const given = text.trimStart();
  const end = given.startsWith('{') ? endOfJson(given, 0) : undefined;
  return end !== undefined && given.slice(end).trimStart().startsWith('{');
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response has ${what}.`, true);
}
